import HTTPEdge
import Testing

@Suite struct DeadlineTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"

    @Test func aSilentConnectionEndsWithoutAnAnswer() throws {
        let connection = try EdgeConnection { $0.headTimeout = .seconds(10) }
        connection.advance(seconds: 9)
        #expect(connection.isOpen)
        connection.advance(seconds: 1)
        #expect(!connection.isOpen && connection.client.received.isEmpty && connection.refusals.statuses.isEmpty)
    }

    @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nHost: x\r\n"])
    func aHeadThatDoesNotEndIsAnswered408(start: String) throws {
        let connection = try EdgeConnection { $0.headTimeout = .seconds(10) }
        connection.advance(seconds: 5)
        connection.send(start)
        for _ in 0..<9 {
            connection.advance(seconds: 1)
            #expect(connection.isOpen)
            connection.send("x")
        }
        connection.advance(seconds: 1)
        #expect(connection.client.received.hasPrefix("HTTP/1.1 408 ") && connection.client.received.contains("Connection: close"))
        #expect(!connection.isOpen && connection.application.paths.isEmpty)
    }

    @Test func aHeadThatDoesNotEndIsToldOnce() throws {
        let connection = try EdgeConnection { $0.headTimeout = .seconds(10) }
        connection.send("GET / HTTP/1.1\r\n")
        connection.advance(seconds: 9)
        #expect(connection.refusals.statuses.isEmpty)
        connection.advance(seconds: 20)
        #expect(connection.refusals.statuses == [408])
    }

    @Test func aBodyOfOneByteASecondIsTooSlow() throws {
        let connection = try EdgeConnection()
        connection.send(Self.post)
        for _ in 0..<(ConnectionLimits.grace.components.seconds - 1) {
            connection.advance(seconds: 1)
            connection.send("x")
        }
        #expect(connection.application.faults.isEmpty)
        connection.advance(seconds: 1)
        #expect(connection.application.faults == [.tooSlow] && connection.application.whole == 0)
        connection.answer()
        #expect(connection.client.received.contains("Connection: close") && !connection.isOpen)
    }

    @Test func aBodyAtTheMinimumRateStillEndsWithItsTotalTime() throws {
        let connection = try EdgeConnection {
            $0.bodyTimeout = .seconds(30)
            $0.minimumBytesPerSecond = 500
        }
        connection.send(Self.post)
        for _ in 0..<29 {
            connection.advance(seconds: 1)
            connection.send(String(repeating: "x", count: 500))
        }
        #expect(connection.application.faults.isEmpty && connection.application.bodyBytes == 14_500)
        connection.advance(seconds: 1)
        #expect(connection.application.faults == [.tooSlow])
    }

    @Test func aBodyThatKeepsItsPaceArrivesWhole() throws {
        let connection = try EdgeConnection { $0.bodyTimeout = .seconds(30) }
        connection.send(Self.post)
        for _ in 0..<20 {
            connection.advance(seconds: 1)
            connection.send(String(repeating: "x", count: 3_000))
        }
        #expect(connection.application.whole == 1 && connection.application.faults.isEmpty)
        connection.answer()
        #expect(connection.isOpen)
    }

    @Test func anIdleConnectionEndsAfterItsTimeAndIsServedBefore() throws {
        let connection = try EdgeConnection { $0.idleTimeout = .seconds(60) }
        for _ in 0..<3 {
            connection.send(Self.get)
            connection.answer()
            connection.advance(seconds: 59)
        }
        #expect(connection.isOpen && connection.application.whole == 3)
        connection.advance(seconds: 1)
        #expect(!connection.isOpen)
    }

    @Test func anApplicationMayThinkForAsLongAsItLikes() throws {
        let connection = try EdgeConnection()
        connection.send(Self.get)
        connection.advance(seconds: 3_600)
        #expect(connection.isOpen)
        connection.answer()
        #expect(connection.client.received.hasPrefix("HTTP/1.1 200 ") && connection.isOpen)
    }

    @Test(arguments: [(10, 500, 40_000, 10), (30, 5_000, 40_000, 13), (30, 500, 100, 5)])
    func aReaderThatDoesNotReadIsLeft(total: Int, rate: Int, bytes: Int, seconds: Int64) throws {
        let connection = try EdgeConnection {
            $0.writeTimeout = .seconds(total)
            $0.minimumBytesPerSecond = rate
        }
        connection.client.takes = false
        connection.send(Self.get)
        connection.answer(bytes: bytes)
        connection.advance(seconds: seconds - 1)
        #expect(connection.isOpen)
        connection.advance(seconds: 1)
        #expect(!connection.isOpen)
    }

    @Test func anAnswerThatIsTakenInTimeEndsItsDeadline() throws {
        let connection = try EdgeConnection { $0.writeTimeout = .seconds(4) }
        connection.client.takes = false
        connection.send(Self.get)
        connection.answer()
        connection.advance(seconds: 3)
        connection.client.takes = true
        connection.advance(seconds: 10)
        #expect(connection.isOpen)
    }
}
