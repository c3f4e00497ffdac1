import Foundation
import Gateway
import GatewayServer
import HTTPEdge
import NIOCore
import NIOEmbedded
import Testing

/// How a connection opens and ends.
@Suite struct AuthorizationChannelTests {
    @Test func anOpenedConnectionStaysOpen() throws {
        let connection = try Connection()
        connection.advance(seconds: 60)
        #expect(connection.isOpen)
    }

    @Test(arguments: [0, 1, 23, 24, 30])
    func aConnectionThatIsNotOpenedEnds(bytes: Int) throws {
        let connection = try Connection(opening: Array((Connection.preface + Connection.settings).prefix(bytes)))
        connection.advance(seconds: 9)
        #expect(connection.isOpen)
        connection.advance(seconds: 1)
        #expect(!connection.isOpen)
    }

    static let breaches: [[UInt8]] = [
        Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [UInt8](repeating: 0, count: 100),
        Connection.preface + [UInt8](repeating: 0xff, count: 64),
        // Settings of five bytes.
        Connection.preface + Connection.frame(type: 4, [1, 2, 3, 4, 5]),
    ]

    @Test(arguments: breaches)
    func aBreachOfTheProtocolEndsTheConnection(bytes: [UInt8]) throws {
        #expect(try !Connection(opening: bytes).isOpen)
    }

    /// More may arrive before the connection is closed.
    @Test(arguments: breaches)
    func aBreachOfTheProtocolIsToldOnce(bytes: [UInt8]) throws {
        let connection = try Connection(opening: [])
        for _ in 0..<2 { _ = try? connection.channel.writeInbound(ByteBuffer(bytes: bytes)) }
        connection.channel.embeddedEventLoop.run()
        #expect(connection.refusals.all == [400])
    }

    /// As a head that does not end, over HTTP/1.1.
    @Test(arguments: [1, 23, 24, 30])
    func anOpeningThatDoesNotEndIsTold(bytes: Int) throws {
        let connection = try Connection(opening: Array((Connection.preface + Connection.settings).prefix(bytes)))
        #expect(connection.refusals.all.isEmpty)
        connection.advance(seconds: 10)
        #expect(connection.refusals.all == [408])
    }

    @Test func aSilentPeerIsNoRefusal() throws {
        let connection = try Connection(opening: [])
        connection.advance(seconds: 10)
        #expect(connection.refusals.all.isEmpty && !connection.isOpen)
    }

    @Test(
        arguments: [
            [], Array(Connection.preface.prefix(10)), Connection.preface + Connection.settings,
            Connection.preface + Connection.settings + Connection.goAway,
        ] as [[UInt8]])
    func aPeerThatLeavesIsNoRefusal(bytes: [UInt8]) throws {
        let connection = try Connection(opening: bytes)
        connection.channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNRESET, reason: "read"))
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        connection.advance(seconds: 60)
        #expect(connection.refusals.all.isEmpty && !connection.isOpen)
    }

    /// The service refuses messages that are too large before their end, and their last parts are on their way. As errors of the connection
    /// they would end the calls of other clients.
    @Test func lateDataOfRefusedCallsChangesNothing() throws {
        var limits = AuthorizationLimits()
        limits.messageBytes = 100
        let connection = try Connection(limits), streams = (0..<UInt32(limits.calls)).map { 2 * $0 + 1 }
        for stream in streams {
            connection.send(try Connection.head(stream: stream) + Connection.data(stream: stream, [UInt8](repeating: 0, count: 200)))
        }
        #expect(try connection.sentFrames().count { $0 == 3 } == streams.count)
        for stream in streams { connection.send(Connection.data(stream: stream, [0])) }
        #expect(try !connection.sentFrames().contains(7))
        #expect(connection.isOpen)
    }

    /// RFC 9113 section 6.8. NIO would end the connection with PROTOCOL_ERROR for a stream that was on its way.
    @Test func callsOnTheirWayAreTakenAfterTheDrainBegins() throws {
        let connection = try Connection()
        _ = try connection.sentFrames()
        connection.channel.pipeline.fireUserInboundEventTriggered(DrainBegins())
        connection.channel.embeddedEventLoop.run()
        #expect(try connection.sentFrames().filter { $0 == 7 }.count == 1)
        for stream in [UInt32(1), 3, 5] { connection.send(try Connection.head(stream: stream) + Connection.data(stream: stream, [0, 0])) }
        #expect(try !connection.sentFrames().contains(7))
        #expect(connection.isOpen)
    }

    /// NIO would wait for its confirmation as long as for calls.
    @Test func aSilentPeerEndsASecondAfterTheDrain() throws {
        let connection = try Connection()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(connection.isOpen)
        connection.advance(seconds: 1)
        #expect(!connection.isOpen && connection.refusals.all.isEmpty)
    }

    @Test func aConnectionEndsWithItsPeersSide() throws {
        let connection = try Connection()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.isOpen)
    }
}
