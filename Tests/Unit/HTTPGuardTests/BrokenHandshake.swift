import NIOCore
import NIOPosix

/// A server on 127.0.0.1 that answers everything with a few bytes and closes the connection.
final class BrokenHandshake: Sendable {
    let port: UInt16
    private let channel: any Channel

    /// - Parameter alert: the description of the TLS alert to send (RFC 8446 section 6); nil for no alert.
    init(alert: UInt8?) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Ending(alert)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    deinit { channel.close(promise: nil) }

    private final class Ending: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let alert: UInt8?

        init(_ alert: UInt8?) { self.alert = alert }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes: [UInt8] = alert.map { [0x15, 3, 1, 0, 2, 2, $0] } ?? []
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            context.close(promise: nil)
        }
    }
}
