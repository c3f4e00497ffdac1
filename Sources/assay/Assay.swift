import ArgumentParser
import Foundation

/// The root of the command line: commands are in Commands/, what they print in Output/.
@main
struct Assay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assay",
        abstract: "Verifies JSON Web Tokens, strictly.",
        discussion: "Example: assay verify --keys jwks.json --issuer https://idp.example --audience client-1 < token.txt",
        version: "0.1.0",
        subcommands: [VerifyCommand.self, InspectCommand.self, KeysCommand.self, ConformanceCommand.self] + networked
    )

    /// What needs HTTP, and what needs the server.
    private static var networked: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = []
        #if HTTP
        commands += [LoginCommand.self, SessionCommand.self]
        #endif
        #if IDaaS
        commands.append(IDaaSCommand.self)
        #endif
        return commands
    }

    static func main() async {
        // A reader that went away shows as a failed write, not as a death.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            leave(for: error)
        }
    }

    /// Exit codes: 0 good, 1 refused, 2 usage, 3 keys unavailable.
    private static func leave(for error: any Error) -> Never {
        if let failure = error as? CommandFailure {
            Terminal.error.line(failure.message)
            exit(withError: ExitCode(failure.exitCode))
        }
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        Terminal.error.line(fullMessage(for: error))
        exit(withError: ExitCode(2))
    }
}

/// An end with a message for a person.
struct CommandFailure: Error {
    let message: String
    let exitCode: Int32

    static func usage(_ message: String) -> Self { Self(message: "Error: \(message)", exitCode: 2) }
    static func keysUnavailable(_ message: String) -> Self { Self(message: "keys_unavailable: \(message)", exitCode: 3) }
}
