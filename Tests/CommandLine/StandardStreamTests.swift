import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// Standard input that cannot be read, is too long or never ends, and standard output that cannot be written.
@Suite struct StandardStreamTests {
    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)
    private let verify: [String]

    init() throws {
        folder = try TemporaryFolder()
        verify = ["verify", "--keys", try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}"), "--now", "1700000100"]
    }

    @Test(arguments: [["verify"], ["verify", "--batch", "-"], ["verify", "--batch", "/dev/fd/0"], ["inspect"]])
    func inputThatCannotBeReadIsNamedWithItsReason(_ command: [String]) throws {
        let line = Command.line(command[0] == "verify" ? verify + command.dropFirst() : command)
        let sources = [("9</usr", "<&9", "Is a directory"), ("9</proc/$$/mem", "<&9", "Input/output error")]
        // A closed descriptor has no name under /dev/fd.
        let closed = command.contains("/dev/fd/0") ? [] : [("9<&-", "<&-", "Bad file descriptor")]
        for (opening, redirection, reason) in sources + closed {
            let outcome = try Command.shell("exec \(opening); \(line) \(redirection)")
            #expect(outcome.exitCode == 2 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("Error: cannot read ") && outcome.errors.hasSuffix(": \(reason)\n"))
        }
    }

    @Test(arguments: [("/usr", "Is a directory"), ("/no-such-file", "No such file or directory")])
    func aBatchFileThatCannotBeReadIsAnError(_ path: String, _ reason: String) throws {
        let outcome = try Command.assay(verify + ["--batch", path], exits: 2)
        #expect(outcome.errors == "Error: cannot read \(path): \(reason)\n")
    }

    @Test(arguments: [["verify"], ["verify", "--json"], ["verify", "--batch", "-"], ["inspect"], ["inspect", "--json"], ["--help"]])
    func outputThatCannotBeWrittenIsAnError(_ command: [String]) throws {
        let arguments = command[0] == "verify" ? verify + command.dropFirst() : command
        let token = try folder.write("token", forge.token())
        for (redirection, reason) in [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
            let outcome = try Command.shell("\(Command.line(arguments)) <\(token) \(redirection)", exits: 2)
            #expect(outcome.errors == "Error: cannot write to standard output: \(reason)\n")
        }
    }

    /// A shell reports 141 for a command that SIGPIPE ended. If the command did not end by itself, `timeout` would report 124.
    @Test func aReaderThatGoesAwayEndsABatchQuietly() throws {
        let batch = Command.line(verify + ["--batch", "-"])
        let outcome = try Command.shell("yes a.b 2>/dev/null | timeout 60 \(batch) | head -n 2; echo ${PIPESTATUS[1]}")
        #expect(outcome.output == "malformed_token\nmalformed_token\n141\n" && outcome.errors.isEmpty)
    }

    // Size

    /// The limit is 16,384 bytes, plus surrounding white space.
    @Test(arguments: [["verify"], ["inspect"]]) func aTokenIsReadUpToTheLimit(_ command: [String]) throws {
        let arguments = command[0] == "verify" ? verify : command
        for (input, isTooLarge) in [
            (String(repeating: "a", count: 16_384), false), (String(repeating: "a", count: 16_385), true),
            ("\n" + String(repeating: "a", count: 16_384) + "\r\n", false), (String(repeating: "a", count: 50_000), true),
            (String(repeating: " ", count: 50_000) + forge.token(), true),
        ] {
            let outcome = try Command.assay(arguments, input: input, exits: 1)
            #expect(outcome.errors.contains("token_too_large") == isTooLarge)
        }
    }

    /// A line that is too long never becomes a valid token by truncation.
    @Test func aLineIsReadUpToTheLimit() throws {
        let long = String(repeating: "a", count: 16_384), token = forge.token()
        let lines = [
            long, long + "\r", long + "a", long + "\rb", token, String(repeating: "b", count: 200_000), token + "\r", token + "\rc",
        ]
        let outcome = try Command.assay(verify + ["--batch", "-"], input: lines.joined(separator: "\n"))
        let (malformed, large) = ("malformed_token", "token_too_large")
        let verdicts = [malformed, malformed, large, large, "valid", large, "valid", "invalid_base64url"]
        #expect(outcome.output.split(separator: "\n").map(String.init) == verdicts)
    }

    @Test(arguments: [["verify"], ["verify", "--batch", "-"], ["inspect"], ["verify", "--keys", "/dev/stdin", "a.b.c"]])
    func memoryDoesNotGrowWithTheInput(_ command: [String]) throws {
        let arguments = command[0] == "verify" && !command.contains("--keys") ? verify + command.dropFirst() : command
        let small = try peakMemory(arguments, bytes: 1_000), large = try peakMemory(arguments, bytes: 50_000_000)
        #expect(large - small < 4_096, "KiB at most: \(small) and \(large)")
    }

    /// The command's peak memory in KiB while it reads `bytes` bytes from standard input. A small program forks it, because the figure
    /// includes the memory of the forking process.
    private func peakMemory(_ arguments: [String], bytes: Int) throws -> Int {
        let measure = """
            import os, sys
            child = os.fork()
            if child == 0: os.execv(sys.argv[1], sys.argv[1:])
            print(os.wait4(child, 0)[2].ru_maxrss)
            """
        let line = "python3 -c \(Shell.quoted(measure)) \(Command.line(arguments)) 2>&1 | tail -n 1"
        let outcome = try Command.shell("head -c \(bytes) /dev/zero | tr '\\0' a | \(line)")
        return try #require(Int(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}
