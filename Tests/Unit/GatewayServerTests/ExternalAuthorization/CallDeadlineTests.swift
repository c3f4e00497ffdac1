import GatewayServer
import Testing

/// Connections that NIO alone would keep. The limits are 300 s without a call, 15 s for a graceful end and 10 s for a message.
@Suite struct CallDeadlineTests {
    private static let headers: UInt8 = 1, goAway: UInt8 = 7

    @Test func aCallIsAnswered() throws {
        let connection = try Connection()
        _ = try connection.sentFrames()
        connection.send(try Connection.call(stream: 1))
        #expect(try connection.sentFrames().contains(Self.headers))
    }

    @Test func anIdleConnectionIsFirstAskedToEnd() throws {
        let connection = try Connection()
        connection.advance(seconds: 299)
        #expect(try !connection.sentFrames().contains(Self.goAway))
        connection.advance(seconds: 1)
        #expect(try connection.sentFrames().contains(Self.goAway))
        #expect(connection.isOpen)
    }

    /// Such a peer neither confirms the end nor is silent.
    @Test func aPeerThatOnlyPingsIsCutOff() throws {
        let connection = try Connection()
        for _ in 0..<12 {
            connection.advance(seconds: 25)
            connection.send(Connection.ping)
        }
        connection.advance(seconds: 14)
        #expect(connection.isOpen)
        connection.advance(seconds: 1)
        #expect(!connection.isOpen)
    }

    @Test func callsKeepAConnection() throws {
        let connection = try Connection()
        for call in 0..<10 {
            connection.advance(seconds: 290)
            connection.send(try Connection.call(stream: UInt32(2 * call + 1)))
        }
        #expect(connection.isOpen)
        connection.advance(seconds: 325)
        #expect(!connection.isOpen)
    }

    /// An answer that waits for the peer's flow control would keep its call, and the call its connection.
    @Test func anAnswerThatIsNotTakenDoesNotKeepAConnection() throws {
        let connection = try Connection(opening: Connection.preface + Connection.closedWindow)
        connection.send(try Connection.call(stream: 1))
        for _ in 0..<12 {
            connection.advance(seconds: 25)
            connection.send(Connection.ping)
        }
        #expect(connection.isOpen)
        connection.advance(seconds: 25)
        #expect(!connection.isOpen)
    }

    /// DATA on a stream that no call has opened is an error of the connection (RFC 9113 section 5.1). A few leave a call under way alone.
    @Test func aPeerThatGoesOnWithErrorsIsCutOff() throws {
        let connection = try Connection()
        connection.send(try Connection.head(stream: 1))
        for _ in 0..<10 { connection.send(Connection.data(stream: 1_001, [0])) }
        #expect(connection.isOpen && connection.refusals.all.isEmpty)
        for _ in 0..<90 { connection.send(Connection.data(stream: 1_001, [0])) }
        #expect(!connection.isOpen && connection.refusals.all == [400])
    }
}
