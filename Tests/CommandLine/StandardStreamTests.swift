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

    @Test(arguments: [
        ["verify"], ["verify", "--json"], ["verify", "--batch", "-"], ["verify", "--batch", "-", "--json"],
        ["verify", "--batch", "-", "--jobs", "2"], ["inspect"], ["inspect", "--json"], ["--help"],
    ])
    func outputThatCannotBeWrittenIsAnError(_ command: [String]) throws {
        let arguments = command[0] == "verify" ? verify + command.dropFirst() : command
        let token = try folder.write("token", forge.token())
        for (redirection, reason) in [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
            let outcome = try Command.shell("\(Command.line(arguments)) <\(token) \(redirection)", exits: 2)
            #expect(outcome.errors == "Error: cannot write to standard output: \(reason)\n")
        }
    }

    /// A shell reports 141 for a command that SIGPIPE ended. If the command did not end by itself, `timeout` would report 124.
    @Test(arguments: [[], ["--jobs", "2"]]) func aReaderThatGoesAwayEndsABatchQuietly(_ more: [String]) throws {
        let batch = Command.line(verify + ["--batch", "-"] + more)
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
        let small = try peakMemory(arguments, bytes: 1_000)
        // The peak has the pages of the program's files, whose number is not the same each time.
        var growth = try peakMemory(arguments, bytes: 50_000_000) - small
        for _ in 0..<2 where growth >= 4_096 { growth = try peakMemory(arguments, bytes: 50_000_000) - small }
        #expect(growth < 4_096, "KiB, beyond \(small)")
    }

    /// The memory that the command allocates: its peak without the pages of the program and of its libraries, which the system shares and
    /// can drop. The last line is answered when everything before it was read.
    @Test(arguments: [["--jobs", "1"], ["--jobs", "4"], ["--json"]]) func fiftyMegabytesNeedTwenty(_ more: [String]) throws {
        let measure = """
            import re, subprocess, sys, threading
            child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            token = open('\(try folder.write("token", forge.token()))').read()
            def feed():
                block, sent = (token + '\\n').encode() * 100, 0
                while sent < 50_000_000: sent += child.stdin.write(block)
                child.stdin.write(b'a.b\\n')
                child.stdin.flush()
            threading.Thread(target=feed, daemon=True).start()
            last = b''
            while b'malformed_token' not in last: last = last[-32:] + child.stdout.read1(65536)
            status = open(f'/proc/{child.pid}/status').read()
            size = {name: int(re.search(name + r':\\s+(\\d+)', status)[1]) for name in ['VmHWM', 'RssFile']}
            print(size['VmHWM'] - size['RssFile'])
            child.kill()
            """
        let line = "timeout 600 python3 -c \(Shell.quoted(measure)) \(Command.line(verify + ["--batch", "-"] + more))"
        let outcome = try Command.shell(line, exits: 0)
        let peak = try #require(Int(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(outcome.errors)")
        #expect(peak < 20_480, "KiB")
    }

    /// The other end of a terminal that was closed reads its last bytes, and then an error.
    @Test func anErrorInTheMiddleEndsTheDocument() throws {
        let terminal = """
            import os, pty, sys
            master, slave = pty.openpty()
            os.write(slave, b'a.b\\na.b\\n')
            os.close(slave)
            os.dup2(master, 0)
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let line = "python3 -c \(Shell.quoted(terminal)) "
        let text = try Command.shell(line + Command.line(verify + ["--batch", "-"]), exits: 2)
        #expect(text.output == "malformed_token\nmalformed_token\n")
        #expect(
            text.errors == "2 tokens: 0 valid, 2 refused (2 malformed_token)\nError: cannot read standard input: Input/output error\n")
        let json = try Command.shell(line + Command.line(verify + ["--batch", "-", "--json"]), exits: 2)
        let list = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(list.map { $0["code"] as? String } == ["malformed_token", "malformed_token", "file"])
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
