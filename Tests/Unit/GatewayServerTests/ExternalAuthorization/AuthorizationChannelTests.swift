#if Gateway
import Gateway
import NIOCore
import NIOEmbedded
import Testing

import GatewayServer

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

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [UInt8](repeating: 0, count: 100),
        Connection.preface + [UInt8](repeating: 0xff, count: 64),
        // Settings of five bytes.
        Connection.preface + Connection.frame(type: 4, [1, 2, 3, 4, 5]),
    ])
    func aBreachOfTheProtocolEndsTheConnection(bytes: [UInt8]) throws {
        #expect(try !Connection(opening: bytes).isOpen)
    }

    @Test func aConnectionEndsWithItsPeersSide() throws {
        let connection = try Connection()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.isOpen)
    }
}
#endif
