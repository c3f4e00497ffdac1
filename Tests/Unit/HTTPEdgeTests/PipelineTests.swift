import HTTPEdge
import NIOCore
import Testing

@Suite struct PipelineTests {
    private static func get(_ path: Int) -> String { "GET /\(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

    @Test func oneRequestAtATimeIsReadHoweverManyAreSent() throws {
        let connection = try EdgeConnection()
        let text = (0..<100_000).map(Self.get).joined()
        connection.send(text)
        #expect(connection.application.paths == ["/0"])
        #expect(connection.client.unread.readableBytes == text.utf8.count - 16_384)
        for _ in 0..<99 { connection.answer() }
        #expect(connection.application.paths == (0..<100).map { "/\($0)" })
    }

    @Test func pipelinedRequestsAreAllAnsweredInOrder() throws {
        let connection = try EdgeConnection()
        connection.send((0..<2_000).map(Self.get).joined())
        for _ in 0..<2_000 { connection.answer() }
        #expect(connection.application.paths == (0..<2_000).map { "/\($0)" })
        #expect(connection.client.unread.readableBytes == 0 && connection.isOpen)
    }

    @Test func theNextRequestWaitsUntilTheAnswerIsTaken() throws {
        let connection = try EdgeConnection()
        connection.client.takes = false
        // Larger than what the parser gets at once, so that the second is not parsed with the first.
        let padding = "X-Filler: " + String(repeating: "v", count: 1_024) + "\r\n"
        connection.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\(padding)\r\n", count: 3))
        connection.answer()
        #expect(connection.application.paths.count == 1)
        connection.client.takes = true
        #expect(connection.application.paths.count == 2)
    }

    @Test func whatArrivesUnaskedIsNotKeptWithoutBound() throws {
        let connection = try EdgeConnection()
        connection.send(Self.get(0))
        for _ in 0..<64 { connection.sendUnasked(String(repeating: Self.get(1), count: 500)) }
        connection.endInput()
        var answered = 0
        while connection.isOpen, answered < 100_000 {
            connection.answer()
            answered += 1
        }
        let limits = ConnectionLimits()
        #expect(answered <= 1 + (limits.headBytes + limits.bodyBytes) / Self.get(1).utf8.count)
    }

    @Test func aClientThatEndsItsSideGetsItsAnswers() throws {
        let connection = try EdgeConnection()
        connection.sendUnasked((0..<50).map(Self.get).joined())
        connection.endInput()
        for _ in 0..<50 { connection.answer() }
        #expect(connection.application.whole == 50)
    }
}
