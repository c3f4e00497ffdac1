#if Gateway
internal import NIOCore
internal import NIOHTTP2

/// Cuts off a connection that has had no call for too long, whatever else its peer sends, and one whose peer does not open it, ends its side
/// or breaks HTTP/2.
///
/// NIO's handlers end an idle connection gracefully. But they wait without end for a peer that does not confirm this and keeps sending, and
/// after an error of the connection they announce its end (GOAWAY) and leave it open. A peer that has closed its socket would hold a
/// descriptor until then, because the listener lets peers end their side alone.
final class CallDeadline: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// Errors of single streams. Envoy causes none.
    private static let tolerableErrors = 100

    private let timeout: TimeAmount
    private let openingTimeout: TimeAmount
    /// Whether the peer has sent a frame.
    private var isOpened = false
    private var calls = 0
    private var errors = 0
    private var idleSince = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?

    init(_ limits: AuthorizationLimits) {
        timeout = TimeAmount(limits.idleTimeout + limits.drainTimeout)
        openingTimeout = TimeAmount(limits.openingTimeout)
    }

    func callBegan() { calls += 1 }

    func callEnded(_ now: NIODeadline) {
        calls -= 1
        idleSince = now
    }

    func handlerAdded(context: ChannelHandlerContext) {
        idleSince = context.eventLoop.now
        look(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { isOpened = true }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        errors += 1
        guard error.endsConnection || errors >= Self.tolerableErrors else { return }
        let channel = context.channel
        // What NIO has written goes out at the end of this read.
        context.eventLoop.execute { channel.close(promise: nil) }
    }

    /// One timer for the life of a connection: a call must not schedule anything.
    private func look(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        let due = isOpened ? (calls > 0 ? now : idleSince) + timeout : idleSince + openingTimeout
        guard due > now else { return context.close(promise: nil) }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.look(context) }
    }
}

extension Error {
    /// Whether the error concerns the whole connection. NIO reports those of single streams in the same way.
    fileprivate var endsConnection: Bool {
        switch self {
        case is NIOHTTP2Errors.BadClientMagic, is NIOHTTP2Errors.MissingPreface, is NIOHTTP2Errors.UnableToParseFrame,
            is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock, is NIOHTTP2Errors.ExcessiveContinuationFrames,
            is NIOHTTP2Errors.ExcessiveEmptyDataFrames, is NIOHTTP2Errors.ExcessiveControlFrames, is NIOHTTP2Errors.ExcessiveRSTFrames,
            is NIOHTTP2Errors.ExcessiveStreamErrors, is NIOHTTP2Errors.ExcessiveNumberOfGlitches,
            is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering, is NIOHTTP2Errors.ReceivedBadSettings:
            true
        default: false
        }
    }
}

/// Tells NIO's handler and ``CallDeadline`` about the streams of a connection, on its loop.
struct CallCounts: NIOHTTP2StreamDelegate {
    private let management: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate
    private let deadline: NIOLoopBound<CallDeadline>
    private let loop: any EventLoop

    init(_ management: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate, _ deadline: CallDeadline, loop: any EventLoop) {
        self.management = management
        self.deadline = NIOLoopBound(deadline, eventLoop: loop)
        self.loop = loop
    }

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        management.streamCreated(id, channel: channel)
        deadline.value.callBegan()
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        management.streamClosed(id, channel: channel)
        deadline.value.callEnded(loop.now)
    }
}
#endif
