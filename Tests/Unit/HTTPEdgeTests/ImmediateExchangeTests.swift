import HTTPEdge
import NIOCore
import Testing

@Suite struct ImmediateExchangeTests {
    private let connection: ImmediateConnection

    init() throws { connection = try ImmediateConnection() }

    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

    @Test func anAnswerHasItsFieldsAndNoBody() throws {
        connection.send(Self.get("/a"))
        #expect(connection.client.received == "HTTP/1.1 200 OK\r\nx-path: /a\r\nContent-Length: 0\r\n\r\n")
        #expect(connection.isOpen)
    }

    @Test func aRequestIsSeenAsItWasSent() throws {
        connection.send("PROPFIND http://y/%2e?a=%00 HTTP/1.1\r\nHOST: x\r\nA: 1\r\na: \u{e9}\r\nB:\r\n\r\n")
        #expect(connection.answers.requests == ["PROPFIND http://y/%2e?a=%00"])
        #expect(connection.answers.fields == [["HOST=x", "A=1", "a=\u{e9}", "B="]])
    }

    @Test(arguments: ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n"])
    func aRequestIsAnsweredWhenItsBodyIsWhole(body: String) throws {
        connection.send("POST /a HTTP/1.1\r\nHost: x\r\n" + body.dropLast(1))
        #expect(connection.answers.requests.isEmpty && connection.client.received.isEmpty)
        connection.send(String(body.suffix(1)) + Self.get("/b"))
        #expect(connection.answered == ["/a", "/b"] && connection.isOpen)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        let paths = (0..<2_000).map { "/\($0)" }
        connection.send(paths.map(Self.get).joined())
        #expect(connection.answered.elementsEqual(paths.map { $0[...] }))
        #expect(connection.client.unread.readableBytes == 0 && connection.isOpen)
    }

    @Test func theNextPieceWaitsUntilTheAnswersAreTaken() throws {
        connection.client.takes = false
        let padding = "X-Filler: " + String(repeating: "v", count: 1_024) + "\r\n"
        connection.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\(padding)\r\n", count: 3))
        #expect(connection.answers.requests.count == 1)
        connection.client.takes = true
        #expect(connection.answers.requests.count >= 2)
    }

    @Test func laterRequestsWaitForOneThatWaits() throws {
        connection.send(Self.get("/a") + Self.get("/wait") + Self.get("/b") + Self.get("/wait") + Self.get("/c"))
        connection.run()
        #expect(connection.answered == ["/a"] && connection.answers.requests.count == 2)
        connection.send(Self.get("/d"))
        connection.release()
        #expect(connection.answered == ["/a", "/wait", "/b"])
        connection.release()
        #expect(connection.answered == ["/a", "/wait", "/b", "/wait", "/c", "/d"] && connection.isOpen)
    }

    @Test func whoWaitsIsNotCutOffByTheDeadlinesOfTheConnection() throws {
        connection.send(Self.get("/wait"))
        connection.advance(seconds: 3_600)
        #expect(connection.isOpen)
        connection.release()
        #expect(connection.answered == ["/wait"])
    }

    @Test func anAnswerForAClientThatHasGoneIsDropped() throws {
        connection.send(Self.get("/wait"))
        connection.run()
        connection.client.leave()
        #expect(!connection.isOpen)
        connection.release()
        #expect(connection.client.received.isEmpty)
    }

    @Test func aClientThatEndsItsSideGetsItsAnswers() throws {
        connection.send(Self.get("/a") + Self.get("/wait") + Self.get("/b"))
        connection.endInput()
        connection.run()
        #expect(connection.answered == ["/a"] && connection.isOpen)
        connection.release()
        #expect(connection.answered == ["/a", "/wait", "/b"])
        connection.advance(seconds: 10)
        #expect(!connection.isOpen)
    }

    /// The log comes behind the answer, and an answer with a line does not wait for the end of the read.
    @Test func theLogFollowsTheAnswer() throws {
        connection.client.takes = false
        connection.send(Self.get("/log"))
        #expect(connection.answers.logged == 1 && connection.client.flushes == 1)
        connection.client.takes = true
        #expect(connection.answered == ["/log"])
    }

    @Test func theAnswersOfOneReadAreFlushedTogether() throws {
        connection.send((0..<10).map { Self.get("/\($0)") }.joined())
        #expect(connection.answered.count == 10 && connection.client.flushes == 1)
    }

    @Test(arguments: [
        ("Content-Length: 65537\r\n\r\n", RequestFault.tooLarge), ("Transfer-Encoding: chunked\r\n\r\nxyz\r\n", .malformed),
        ("Content-Length: 1000\r\n\r\n", .tooSlow),
    ])
    func aBodyWithAFaultIsAnsweredAndTheConnectionEnds(body: String, fault: RequestFault) throws {
        connection.send("POST / HTTP/1.1\r\nHost: x\r\n" + body)
        if fault == .tooSlow { connection.advance(seconds: 60) }
        #expect(connection.answers.faults == [fault])
        #expect(connection.client.received.hasPrefix("HTTP/1.1 \(fault.status) "))
        #expect(connection.client.received.contains("Connection: close") && !connection.isOpen)
    }

    @Test(arguments: FramingTests.malformedHeads)
    func aMalformedHeadIsNoRequest(_ malformed: FramingTests.Case) throws {
        connection.send(Self.get("/first") + malformed.text)
        #expect(connection.answered == ["/first"])
        #expect(connection.client.received.contains("HTTP/1.1 400 ") && !connection.isOpen)
        #expect(connection.answers.requests == ["GET /first"])
        #expect(connection.answers.refusals == [400])
    }

    @Test func aHeadThatTakesTooLongIsTold() {
        connection.send("GET / HTTP/1.1\r\n")
        connection.advance(seconds: 60)
        #expect(connection.client.received.hasPrefix("HTTP/1.1 408 "))
        #expect(connection.answers.refusals == [408] && connection.answers.requests.isEmpty)
    }

    @Test(arguments: [
        "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUPGRADE: h2c\r\n\r\n",
    ])
    func theConnectionEndsWithTheAnswer(_ last: String) throws {
        connection.send(last + Self.get("/further"))
        #expect(connection.answers.requests.count == 1)
        #expect(connection.client.received.contains("Connection: close") && !connection.isOpen)
    }

    /// A connection stays open for a request that is on its way, and its answer tells the client to send no more.
    @Test func afterTheDrainBeginsTheNextAnswerIsTheLast() throws {
        connection.send(Self.get("/a"))
        #expect(!connection.client.received.contains("Connection: close"))
        connection.beginDrain()
        #expect(connection.isOpen)
        connection.send(Self.get("/b"))
        #expect(connection.answered == ["/a", "/b"] && connection.client.received.contains("Connection: close"))
        connection.send(Self.get("/c"))
        #expect(connection.answered == ["/a", "/b"])
    }

    /// Half a head, and a head whose body is not there yet.
    @Test(arguments: ["GET /a HT", "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nx"])
    func aRequestThatIsPartlyThereWhenTheDrainBeginsIsAnswered(_ part: String) throws {
        connection.send(part)
        connection.beginDrain()
        connection.send(part.hasPrefix("GET") ? "TP/1.1\r\nHost: x\r\n\r\n" : "x")
        #expect(connection.answered == ["/a"] && connection.client.received.contains("Connection: close"))
    }

    @Test func aRequestThatWaitsWhenTheDrainBeginsIsAnswered() throws {
        connection.send(Self.get("/wait"))
        connection.run()
        connection.beginDrain()
        #expect(connection.isOpen)
        connection.release()
        #expect(connection.answered == ["/wait"] && connection.client.received.contains("Connection: close"))
    }

    @Test func anIdleConnectionEndsWithItsListener() throws {
        connection.send(Self.get("/a"))
        connection.drain()
        #expect(!connection.isOpen)
    }

    @Test func aRequestUnderWayIsAnsweredBeforeTheListenerEnds() throws {
        connection.send(Self.get("/wait") + Self.get("/further"))
        connection.run()
        connection.drain()
        #expect(connection.isOpen)
        connection.release()
        #expect(connection.answered == ["/wait"] && connection.client.received.contains("Connection: close"))
        #expect(!connection.isOpen)
    }
}
