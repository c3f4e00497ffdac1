#if Gateway
import Gateway
import GatewayServer
import NIOCore
import NIOEmbedded
import Testing

/// The life of a connection.
@Suite struct AuthorizationChannelTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    private static func channel() throws -> EmbeddedChannel {
        let service = AuthorizationService(
            decide: { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }, refused: { _ in }, isReady: { true })
        let channel = EmbeddedChannel()
        try AuthorizationChannel.addHandlers(to: channel, service, AuthorizationLimits())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/gateway")).wait()
        return channel
    }

    /// A breach of the protocol may be told as an error, too.
    private static func send(_ bytes: [UInt8], _ channel: EmbeddedChannel) {
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        channel.embeddedEventLoop.run()
    }

    @Test func anOpenedConnectionStaysOpen() throws {
        let channel = try Self.channel()
        Self.send(Self.preface + Self.settings, channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
    }

    @Test(arguments: [0, 1, 23, 24, 30])
    func aConnectionThatIsNotOpenedEnds(bytes: Int) throws {
        let channel = try Self.channel()
        Self.send(Array((Self.preface + Self.settings).prefix(bytes)), channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [UInt8](repeating: 0, count: 100), preface + [UInt8](repeating: 0xff, count: 64),
        // Settings of five bytes.
        preface + [0, 0, 5, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5],
    ])
    func aBreachOfTheProtocolEndsTheConnection(bytes: [UInt8]) throws {
        let channel = try Self.channel()
        Self.send(bytes, channel)
        #expect(!channel.isActive)
    }

    @Test func aConnectionEndsWithItsPeersSide() throws {
        let channel = try Self.channel()
        Self.send(Self.preface + Self.settings, channel)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }
}
#endif
