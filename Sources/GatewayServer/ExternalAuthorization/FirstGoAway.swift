#if Gateway
internal import HTTPEdge
internal import NIOCore

/// Announces the end of a connection before NIO's handlers do (RFC 9113 section 6.8): GOAWAY with the highest stream and NO_ERROR, after
/// which the peer opens no further stream here, and every stream that is on its way is answered.
///
/// NIO's own state of the connection refuses each new stream once it has sent a GOAWAY, also one that names the highest stream: a stream on its
/// way would end the connection with PROTOCOL_ERROR. So this frame goes past it, from the place next to the socket. It is written in a turn
/// of the event loop of its own, hence between two frames.
final class FirstGoAway: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Length 8, type 7, no flags, stream 0; last stream 2^31 - 1, error 0 (RFC 9113 sections 4.1 and 6.8).
    private static let frame: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is DrainBegins else { return context.fireUserInboundEventTriggered(event) }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let context = bound.value
            guard context.channel.isActive else { return }
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: Self.frame)), promise: nil)
        }
    }
}
#endif
