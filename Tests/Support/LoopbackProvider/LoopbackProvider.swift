import AssayTesting
import Glibc
import Program

/// An OpenID provider for demonstrations and tests: metadata and keys on loopback, commands on standard input, one answer per line.
///
///     loopback-provider
///     issuer http://127.0.0.1:40123
///     token
///     eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIn0.…
///
/// `assay provider --for-tests` is the same for users.
@main
struct LoopbackProvider {
    static func main() throws {
        _ = ProgramArguments.orExit()
        let console = try ProviderConsole()
        say("issuer \(console.issuer)")
        while let line = readLine() { say(console.answer(to: line)) }
    }

    /// Writes a line and flushes it: the reader may wait at the other end of a pipe.
    private static func say(_ line: String) {
        print(line)
        _ = fflush(nil)
    }
}
