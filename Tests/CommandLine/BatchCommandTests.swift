import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// `assay verify --batch`: its output, its counts on standard error, and its threads.
@Suite struct BatchCommandTests {
    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)
    private let verify: [String]

    init() throws {
        folder = try TemporaryFolder()
        let keys = try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}")
        verify = ["verify", "--keys", keys, "--issuer", "https://idp.example", "--audience", "client-1", "--at", "1700000100"]
    }

    private func batch(_ lines: [String], _ more: [String] = [], exits code: Int32) throws -> Command.Outcome {
        try Command.assay(verify + ["--batch", "-"] + more, input: lines.map { $0 + "\n" }.joined(), exits: code)
    }

    @Test func theCountsAreOnStandardErrorTheMostFrequentFirst() throws {
        let lines = [forge.token(), "a.b", "", forge.token(header: #"{"alg":"none"}"#)]
        #expect(
            try batch(lines, exits: 1).errors == "4 tokens: 1 valid, 3 refused (2 malformed_token, 1 unsecured_token)\n")
        #expect(try batch([forge.token()], exits: 0).errors == "1 token: 1 valid, 0 refused\n")
        #expect(try batch([], exits: 2).errors == "0 tokens: 0 valid, 0 refused\nError: no token in the batch\n")
        #expect(try batch(lines, ["--quiet"], exits: 1).errors.isEmpty)
    }

    @Test func linesHaveTheirNumbersWhereAskedFor() throws {
        let lines = ["a.b", forge.token(), "a.b"]
        #expect(try batch(lines, ["--line-numbers"], exits: 1).output == "1 malformed_token\n2 valid\n3 malformed_token\n")
        let json = try batch(lines, ["--line-numbers", "--json"], exits: 1)
        let list = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(list.map { $0["line"] as? Int } == [1, 2, 3] && list.map { $0["valid"] as? Bool } == [false, true, false])
        #expect((list[1]["claims"] as? [String: Any])?["sub"] as? String == "248289761001")
    }

    /// More lines than a block has, so that every thread has several. Each verdict is that of the token alone.
    @Test(arguments: [["--jobs", "1"], ["--jobs", "2"], ["--jobs", "7"]]) func theOutputHasTheOrderOfTheInput(_ more: [String]) throws {
        let kinds = try [
            forge.token(), "a.b", forge.token(header: #"{"alg":"ES256","kid":"other"}"#), forge.token(#"{"exp":1}"#),
            TokenForge(.es256).token(), forge.token().replacing("eyJpc3M", with: "eyJpc3N"),
        ].map { token in
            let alone = try Command.assay(verify + [token])
            return (token: token, verdict: alone.exitCode == 0 ? "valid" : alone.errors.firstWord(after: "refused "))
        }
        #expect(Set(kinds.map(\.verdict)).count == 5)
        let order = (0..<10_000).map { kinds[$0 * $0 % 7 % kinds.count] }
        let outcome = try batch(order.map(\.token), more, exits: 1)
        #expect(outcome.output == order.map { $0.verdict + "\n" }.joined())
        #expect(outcome.errors.hasPrefix("10000 tokens: "))
    }

    @Test func payloadsThatAreNoClaimsAreJudgedToo() throws {
        let token = forge.token(header: #"{"alg":"ES256","kid":"test-key"}"#, payload: "hello")
        let arguments = ["verify", "--keys", verify[2], "--no-claims", "--batch", "-"]
        let outcome = try Command.assay(arguments, input: "\(token)\na.b\n", exits: 1)
        #expect(outcome.output == "valid\nmalformed_token\n")
    }

    @Test(arguments: [
        ["--line-numbers"], ["--quiet"], ["--jobs", "2"], ["--batch", "-", "--jobs", "0"], ["--batch", "-", "--jobs", "65"],
    ])
    func whatCannotWorkIsAUsageError(_ more: [String]) throws { _ = try Command.assay(verify + more, exits: 2) }

    /// Feeds lines until the progress is on the terminal that is standard error. After the end of the input its line is gone.
    @Test func aLongBatchShowsItsProgressOnATerminal() throws {
        let feed = """
            import os, pty, subprocess, sys, termios, time
            master, slave = pty.openpty()
            child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=slave)
            os.close(slave)
            os.set_blocking(master, False)
            seen, ends = b'', time.monotonic() + 60
            while b'refused' not in seen and time.monotonic() < ends:
                child.stdin.write(b'a.b\\n' * 10)
                child.stdin.flush()
                try: seen += os.read(master, 4096)
                except BlockingIOError: pass
            child.stdin.close()
            os.set_blocking(master, True)
            try:
                while (more := os.read(master, 4096)): seen += more
            except OSError: pass
            sys.stdout.buffer.write(seen)
            """
        let line = "python3 -c \(Shell.quoted(feed)) \(Command.line(verify + ["--batch", "-"]))"
        let output = try Command.shell(line, exits: 0).output
        #expect(output.hasPrefix("\r") && output.contains(" tokens, ") && output.contains(" refused\u{1b}[K"))
        #expect(output.contains("\r\u{1b}[K") && output.hasSuffix(" malformed_token)\r\n"))
    }
}

extension String {
    /// The characters between `prefix`, which begins this text, and the next colon.
    fileprivate func firstWord(after prefix: String) -> String { String(dropFirst(prefix.count).prefix { $0 != ":" }) }
}
