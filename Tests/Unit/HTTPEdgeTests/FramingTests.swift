import HTTPEdge
import NIOCore
import Testing

@Suite struct FramingTests {
    private let connection: EdgeConnection

    init() throws { connection = try EdgeConnection() }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(_ name: String, _ text: String) {
            testDescription = name
            self.text = text
        }
    }

    static let malformedHeads = [
        Case("no host", "GET / HTTP/1.1\r\n\r\n"),
        Case("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        Case("one host twice", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"),
        Case("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Case("a host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        Case("a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Case("two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
        Case("an unknown coding", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n"),
        Case("a coding before chunked", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        Case("a coding after chunked", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        Case("chunked twice", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("an obscured coding", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n"),
        Case("chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("a length and a coding", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"),
        Case("a negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"),
        Case("a length that is no number", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\n"),
        Case("a length beyond 64 bits", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        Case("a space before the colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n"),
        Case("a folded field", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n"),
        Case("a field without a name", "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n"),
        Case("a field without a colon", "GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n"),
        Case("a NUL in a field", "GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n"),
        Case("no version", "GET /\r\n\r\n"),
        Case("HTTP/2", "GET / HTTP/2.0\r\nHost: x\r\n\r\n"),
        Case("no request", "nonsense\r\n\r\n"),
        Case("TLS", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}"),
        Case("a head without an end", "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: bbbbbbbb\r\n", count: 4_000)),
        Case("a field without an end", "GET / HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "b", count: 40_000)),
        Case("a path without an end", "GET /" + String(repeating: "b", count: 40_000)),
    ]

    @Test(arguments: malformedHeads)
    func aMalformedHeadIs400AndTheConnectionEnds(_ malformed: Case) throws {
        connection.send(malformed.text)
        #expect(connection.client.received == "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(!connection.isOpen && connection.application.paths.isEmpty)
    }

    /// The application sees the field alone, and would answer for a host that its client did not ask for.
    @Test(arguments: [
        ("http://a/", "a", 200), ("http://A:80?x", "a:80", 200), ("https://[::1]:8/x", "[::1]:8", 200), ("http://b/", "a", 400),
        ("http://a:81/", "a", 400), ("http://a@b/", "a", 400), ("http://b?//a/", "a", 400), ("http://b#//a/", "a", 400),
    ])
    func aTargetNamesTheHostOfTheField(_ target: String, host: String, status: Int) throws {
        connection.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        if status == 200 { connection.answer() }
        #expect(connection.client.received.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test(arguments: malformedHeads)
    func aMalformedHeadIsToldOnce(_ malformed: Case) throws {
        connection.send(malformed.text + malformed.text)
        #expect(connection.refusals.statuses == [400])
    }

    @Test(arguments: malformedHeads)
    func aRequestBeforeAMalformedHeadIsAnswered(_ malformed: Case) throws {
        connection.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + malformed.text)
        connection.answer()
        #expect(connection.client.received.hasPrefix("HTTP/1.1 200 ") && connection.client.received.contains("HTTP/1.1 400 "))
        #expect(!connection.isOpen && connection.application.paths == ["/first"])
    }

    static let malformedBodies = [
        Case("no chunk size", "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"),
        Case("a chunk size with a sign", "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n"),
        Case("a chunk size with a prefix", "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"),
        Case("a chunk size beyond 64 bits", "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"),
        Case("a chunk longer than its size", "Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n"),
        Case("a malformed trailer", "Transfer-Encoding: chunked\r\n\r\n0\r\nA b\r\n\r\n"),
    ]

    @Test(arguments: malformedBodies)
    func whoReadsAMalformedBodyIsToldAndTheConnectionEnds(_ malformed: Case) throws {
        connection.send("POST / HTTP/1.1\r\nHost: x\r\n" + malformed.text)
        #expect(connection.application.faults == [.malformed] && connection.application.whole == 0)
        // The application learns of a body, and tells of it itself.
        #expect(connection.refusals.statuses.isEmpty)
        connection.send("GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
        connection.answer()
        #expect(connection.client.received.contains("Connection: close"))
        #expect(!connection.isOpen && connection.application.paths == ["/"])
    }

    @Test(arguments: ["Content-Length: 9\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"])
    func aBodyThatIsCutShortIsNoWholeBody(_ body: String) throws {
        connection.send("POST / HTTP/1.1\r\nHost: x\r\n" + body)
        connection.endInput()
        #expect(connection.application.faults == [.malformed] && connection.application.whole == 0)
    }

    @Test(arguments: [
        Case("announced", "Content-Length: 65537\r\n\r\n"), Case("announced beyond reason", "Content-Length: 9999999999999999\r\n\r\n"),
        Case("arriving", "Transfer-Encoding: chunked\r\n\r\n11000\r\n" + String(repeating: "x", count: 0x11000)),
    ])
    func aLargeBodyIsReadNoFurther(_ large: Case) throws {
        connection.send("POST / HTTP/1.1\r\nHost: x\r\n" + large.text)
        #expect(connection.application.faults == [.tooLarge])
        connection.send(String(repeating: "x", count: 1_000_000))
        connection.answer()
        #expect(connection.client.received.contains("Connection: close") && !connection.isOpen)
        #expect(connection.application.bodyBytes <= 65_536)
        #expect(connection.client.unread.readableBytes > 500_000)
    }

    @Test func aBodyOfTheGreatestSizeIsRead() throws {
        connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n" + String(repeating: "x", count: 65_536))
        #expect(connection.application.bodyBytes == 65_536 && connection.application.whole == 1)
        connection.answer()
        #expect(connection.isOpen)
    }

    @Test func anAnswerBeforeTheBodyEndsTheConnection() throws {
        connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhello")
        connection.answer()
        #expect(connection.client.received.contains("Connection: close") && !connection.isOpen)
    }

    @Test(arguments: [
        Case("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"),
        Case("HTTP/1.0 that would stay", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
        Case("a client that closes", "GET / HTTP/1.1\r\nHost: x\r\nConnection: TE, Close\r\n\r\n"),
        Case("an upgrade", "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"),
    ])
    func theConnectionEndsWithTheAnswer(_ last: Case) throws {
        connection.send(last.text)
        #expect(connection.application.paths == ["/"] && connection.isOpen)
        connection.answer()
        #expect(connection.client.received.hasPrefix("HTTP/1.1 200 ") && connection.client.received.contains("Connection: close"))
        #expect(!connection.isOpen)
    }

    @Test(arguments: ["x", "login.example.com:8443", "192.0.2.1", "[2001:db8::1]:80", "a_b-c.d~e", "b%C3%BCcher.example"])
    func aHostWithItsPortIsAccepted(_ host: String) throws {
        connection.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(connection.application.paths == ["/"])
    }
}
