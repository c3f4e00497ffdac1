import AssayTesting
import HTTPGuard
import JWKSCache
import JWTTestSupport
import Testing

/// Answers that two readers may take differently (RFC 9112). Each is refused, whatever libcurl would make of it.
@Suite struct FramingTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    static let malformed: [(String, String)] = [
        ("length and chunks", ok + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
        ("chunks and length", ok + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
        ("two codings", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
        ("chunks twice", ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
        ("an unknown coding", ok + "Transfer-Encoding: xchunked\r\n\r\n{}"), ("identity", ok + "Transfer-Encoding: identity\r\n\r\n{}"),
        ("chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
        ("the same length twice", ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
        ("a list of lengths", ok + "Content-Length: 2, 2\r\n\r\n{}"), ("a signed length", ok + "Content-Length: +2\r\n\r\n{}"),
        ("a negative length", ok + "Content-Length: -2\r\n\r\n{}"), ("a length in hexadecimal", ok + "Content-Length: 0x2\r\n\r\n{}"),
        ("a length without end", ok + "Content-Length: 99999999999999999999999\r\n\r\n{}"),
        ("an empty length", ok + "Content-Length:\r\n\r\n{}"),
        ("a blank in front of the colon", ok + "Content-Length : 2\r\n\r\n{}"), ("a folded line", ok + "X: a\r\n b\r\n\r\n{}"),
        ("a line without a colon", ok + "Content-Length 2\r\n\r\n{}"), ("no name", ok + ": 2\r\n\r\n{}"),
        ("a name with a blank", ok + "X Y: 2\r\n\r\n{}"), ("bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}"),
        ("one bare line feed", ok + "X: 1\nContent-Length: 2\r\n\r\n{}"),
        ("a bare carriage return", ok + "X: a\rContent-Length: 2\r\n\r\n{}"),
        ("a NUL", ok + "X: a\u{0}b\r\n\r\n{}"), ("a control character", ok + "X: a\u{1}b\r\n\r\n{}"),
        ("another version", "HTTP/2.0 200 OK\r\n\r\n{}"), ("an unknown version", "HTTP/1.2 200 OK\r\n\r\n{}"),
        ("a short status", "HTTP/1.1 20 OK\r\n\r\n{}"), ("a long status", "HTTP/1.1 2000 OK\r\n\r\n{}"),
        ("status 0", "HTTP/1.1 000 OK\r\n\r\n{}"),
        ("two blanks", "HTTP/1.1  200 OK\r\n\r\n{}"), ("no blank", "HTTP/1.1\t200 OK\r\n\r\n{}"),
        ("lower case", "http/1.1 200 OK\r\n\r\n{}"),
        ("text in front", "x\r\nHTTP/1.1 200 OK\r\n\r\n{}"), ("HTTP/0.9", "{}"),
        ("another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
        ("interim answers without end", String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 11) + ok + "\r\n{}"),
        ("a signed chunk", chunked + "+2\r\n{}\r\n0\r\n\r\n"), ("a chunk with 0x", chunked + "0x2\r\n{}\r\n0\r\n\r\n"),
        ("a blank in front of a size", chunked + " 2\r\n{}\r\n0\r\n\r\n"), ("a blank behind a size", chunked + "2 \r\n{}\r\n0\r\n\r\n"),
        ("a bare line feed behind a size", chunked + "2\n{}\r\n0\r\n\r\n"),
        ("a bare line feed behind data", chunked + "2\r\n{}\n0\r\n\r\n"),
        ("data longer than its chunk", chunked + "1\r\n{}\r\n0\r\n\r\n"), ("no size", chunked + ";x\r\n{}\r\n0\r\n\r\n"),
        ("a control character in an extension", chunked + "2;a=\u{1}\r\n{}\r\n0\r\n\r\n"),
        ("a control character in a trailer", chunked + "2\r\n{}\r\n0\r\nX: \u{1}\r\n\r\n"),
        ("two content codings", ok + "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\n{}"),
        ("a list of content codings", ok + "Content-Encoding: gzip, identity\r\n\r\n{}"),
    ]

    @Test(arguments: malformed) func anAnswerOfTwoReadingsIsRefused(_ name: String, text: String) async throws {
        #expect(try await Self.outcome(text) == .failure(.malformed), "\(name)")
    }

    @Test(arguments: [
        ("an extension", chunked + "2;a=\"b\"\r\n{}\r\n0\r\n\r\n"), ("trailers", chunked + "2\r\n{}\r\n0\r\nX: 1\r\nStatus: 500\r\n\r\n"),
        ("leading zeros", chunked + "0002\r\n{}\r\n000\r\n\r\n"), ("chunks of a byte", chunked + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"),
        ("CHUNKED", ok + "transfer-encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
        ("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}"),
        ("ten hints", String(repeating: "HTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\n", count: 10) + ok + "\r\n{}"),
        ("no blank behind the colon", ok + "Content-Length:2\r\n\r\n{}"),
        ("blanks around a value", ok + "Content-Length: \t2 \t\r\n\r\n{}"),
    ])
    func anAnswerOfOneReadingIsTaken(_ name: String, text: String) async throws {
        #expect(try await Self.outcome(text) == .answer(200, "{}"), "\(name)")
    }

    @Test(arguments: [
        ("a head of many lines", ok + String(repeating: "X: \(String(repeating: "x", count: 1_000))\r\n", count: 90) + "\r\n{}"),
        ("hints of many lines", "HTTP/1.1 103 Hints\r\n" + String(repeating: "X: \(String(repeating: "x", count: 1_000))\r\n", count: 90)),
        ("a size of sixteen digits", chunked + "fffffffffffffffff\r\n{}"),
        ("extensions without end", chunked + String(repeating: "1;\(String(repeating: "x", count: 1_000))\r\n{\r\n", count: 20)),
        ("a length beyond the limit", ok + "Content-Length: 262145\r\n\r\n"),
    ])
    func anEndlessAnswerIsCutOff(_ name: String, text: String) async throws {
        #expect(try await Self.outcome(text) == .failure(.tooLarge), "\(name)")
    }

    @Test func bytesBehindGzipAreRefused() async throws {
        let folder = try TemporaryFolder()
        try #require(Shell.run("echo '{}' | gzip -n >\(folder.path)/z; echo x >>\(folder.path)/z") == 0)
        let server = try LoopbackServer { _ in .status(200, [("Content-Encoding", "gzip")], body: folder.bytes("z")) }
        #expect(try await GuardedClient(.loopback).outcome(server.url()) == .failure(.malformed))
    }

    private static func outcome(_ text: String) async throws -> Outcome {
        let server = try LoopbackServer { _ in .raw(text) }
        return try await GuardedClient(.loopback).outcome(server.url())
    }
}
