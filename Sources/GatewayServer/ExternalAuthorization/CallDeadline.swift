#if Gateway
internal import NIOCore
internal import NIOHTTP2

/// Cuts off a connection on which no call begins or ends for too long, whatever else its peer sends, and one whose peer does not open it,
/// ends its side or breaks HTTP/2. It tells of peers that break HTTP/2, and of those that begin to open the connection and do not go on; not of
/// peers that leave or are silent.
///
/// NIO's handlers end an idle connection gracefully. But they wait without end for a peer that does not confirm this and keeps sending, and
/// for a peer that does not take the answer of a call. After an error of the connection they announce its end (GOAWAY) and leave it open. A
/// peer that has closed its socket would hold a descriptor until then, because the listener lets peers end their side alone.
final class CallDeadline: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// Errors after which a peer may go on: those of single streams, and those for which NIO announces the end of the connection and lets
    /// its calls finish. Envoy then opens another connection. A peer that goes on with its errors could do so without end.
    private static let tolerableErrors = 100

    private let idleTimeout: TimeAmount
    private let callTimeout: TimeAmount
    private let openingTimeout: TimeAmount
    private let refused: @Sendable (Int) -> Void
    private var isRefused = false
    /// Whether the peer has sent a byte.
    private var hasBegun = false
    /// Whether the peer has sent a frame.
    private var isOpened = false
    private var errors = 0
    /// When a call began or ended last; before the first one, when the connection began.
    private var latest = NIODeadline.uptimeNanoseconds(0)
    private var calls = 0
    private var timer: Scheduled<Void>?
    private var drainTimer: Scheduled<Void>?

    /// How long a peer without a call has to confirm the end of the connection. NIO waits for it as long as for calls.
    private static let confirmation = TimeAmount.seconds(1)

    /// - Parameter refused: is told the status of a refusal, at most once: 400 for a breach of HTTP/2, 408 for a late opening. Must not block.
    init(_ limits: AuthorizationLimits, refused: @escaping @Sendable (Int) -> Void) {
        self.refused = refused
        // An idle connection first gets the time to end gracefully. A call under way has its own, shorter timeout.
        idleTimeout = TimeAmount(limits.idleTimeout + limits.drainTimeout)
        callTimeout = idleTimeout + TimeAmount(limits.messageTimeout)
        openingTimeout = TimeAmount(limits.openingTimeout)
    }

    func callBegan(at now: NIODeadline) {
        calls += 1
        latest = now
    }

    func callEnded(at now: NIODeadline) {
        calls -= 1
        latest = now
    }

    func handlerAdded(context: ChannelHandlerContext) {
        latest = context.eventLoop.now
        look(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        drainTimer?.cancel()
        (timer, drainTimer) = (nil, nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { isOpened = true }

    /// NIO's handlers pass this on for every read, also one that gives no frame. The read of an end is followed by the close.
    func channelReadComplete(context: ChannelHandlerContext) {
        hasBegun = true
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { return context.close(promise: nil) }
        if event is ChannelShouldQuiesceEvent { drain(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the connection once it has no call. NIO does so after the peer has confirmed, which a silent one never does.
    private func drain(_ context: ChannelHandlerContext) {
        drainTimer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.confirmation) {
            if self.calls == 0 { context.close(promise: nil) } else { self.drain(context) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        errors += 1
        guard error.endsConnection || errors >= Self.tolerableErrors else { return }
        refuse(400)
        let channel = context.channel
        // What NIO has written goes out at the end of this read.
        context.eventLoop.execute { channel.close(promise: nil) }
    }

    /// NIO repeats an error for later bytes.
    private func refuse(_ status: Int) {
        guard !isRefused else { return }
        isRefused = true
        refused(status)
    }

    /// One timer for the life of a connection: a call must not schedule anything.
    private func look(_ context: ChannelHandlerContext) {
        let due = latest + (!isOpened ? openingTimeout : calls == 0 ? idleTimeout : callTimeout)
        guard due > context.eventLoop.now else {
            if hasBegun, !isOpened { refuse(408) }
            return context.close(promise: nil)
        }
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

/// Tells NIO's handler and ``CallDeadline`` about the streams of a connection, on its loop: each stream is a call.
struct CallObserver: NIOHTTP2StreamDelegate {
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
        deadline.value.callBegan(at: loop.now)
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        management.streamClosed(id, channel: channel)
        deadline.value.callEnded(at: loop.now)
    }
}
#endif
