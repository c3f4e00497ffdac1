internal import NIOCore
internal import NIOHTTP1

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Limits a connection in bytes and in time, between the socket (or TLS) and the HTTP parser.
///
/// The parser gets bytes in pieces, and only when its reader asks: not before the last request is answered and the client has taken that
/// answer. Other bytes wait here, then in the socket, where the client has to wait with them.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum Phase {
        /// No byte of the next request has arrived.
        case waiting(until: NIODeadline)
        case head(until: NIODeadline)
        case body(since: NIODeadline, received: Int)
        case answering
        /// The last answer is written. Further input is dropped for a while: closing a socket with unread bytes resets it, and the client
        /// loses the answer (RFC 9112 section 9.6).
        case lingering(until: NIODeadline?, dropped: Int)
    }

    /// The maximum size of a piece for the parser. A piece of this size holds few requests.
    static let pieceBytes = 1_024
    private static let linger = TimeAmount.seconds(2)
    private static let lingerBytes = 262_144

    private let limits: ConnectionLimits
    private let refused: @Sendable (Int) -> Void
    private var timer: DeadlineTimer?
    private var phase = Phase.answering
    private var held = ByteBuffer()
    /// Whether more bytes arrived than the limit. NIO reads without a request when the client has closed its side.
    private var hasOverflowed = false
    private var inputHasEnded = false
    private var readIsWanted = false
    private var isFeeding = false
    /// The writes that the client has not taken: the start, the bytes, and the number of parts left.
    private var writing: (since: NIODeadline, bytes: Int, parts: Int)?

    /// - Parameter refused: is told the status of each answer that this handler gives instead of the application. Must not block.
    init(limits: ConnectionLimits, refused: @escaping @Sendable (Int) -> Void) {
        self.limits = limits
        self.refused = refused
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = DeadlineTimer(loop: context.eventLoop) { self.expire(context) }
        phase = .waiting(until: now(context) + TimeAmount(limits.headTimeout))
        moveDeadline()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.stop()
        timer = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.stop()
        held = ByteBuffer()
        context.fireChannelInactive()
    }

    private func now(_ context: ChannelHandlerContext) -> NIODeadline { context.eventLoop.now }
}

// MARK: Reading

extension ConnectionGuard {
    func read(context: ChannelHandlerContext) {
        readIsWanted = true
        feed(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        switch phase {
        case .lingering(let until, let dropped):
            drop(bytes.readableBytes, after: dropped, until: until, context)
            return
        case .waiting: phase = .head(until: now(context) + TimeAmount(limits.headTimeout))
        case .body(let since, let received): phase = .body(since: since, received: received + bytes.readableBytes)
        case .head, .answering: break
        }
        moveDeadline()
        if hasOverflowed || held.readableBytes + bytes.readableBytes > limits.headBytes + limits.bodyBytes {
            hasOverflowed = true
        } else {
            held.discardReadBytes()
            held.writeBuffer(&bytes)
        }
        feed(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if case .lingering(.some, _) = phase { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event, held.readableBytes > 0 else {
            return context.fireUserInboundEventTriggered(event)
        }
        inputHasEnded = true
    }

    /// Gives the parser pieces while its reader asks. After each piece the end of the pipeline asks the reader again. A handler that is not
    /// ready holds that request back.
    private func feed(_ context: ChannelHandlerContext) {
        guard !isFeeding else { return }
        isFeeding = true
        defer { isFeeding = false }
        while readIsWanted, writing == nil, !isLingering {
            if held.readableBytes == 0 { readSocket(context) }
            guard let piece = held.readSlice(length: min(Self.pieceBytes, held.readableBytes)), piece.readableBytes > 0 else { return }
            readIsWanted = false
            context.fireChannelRead(wrapInboundOut(piece))
            context.fireChannelReadComplete()
            context.channel.read()
        }
    }

    private func readSocket(_ context: ChannelHandlerContext) {
        if hasOverflowed { return context.close(promise: nil) }
        if inputHasEnded {
            inputHasEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            context.read()
        }
    }
}

// MARK: Writing

extension ConnectionGuard {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let size = unwrapOutboundIn(data).readableBytes
        let promise = promise ?? context.eventLoop.makePromise()
        let before = writing ?? (now(context), 0, 0)
        writing = (before.since, before.bytes + size, before.parts + 1)
        moveDeadline()
        promise.futureResult.assumeIsolated().whenComplete { _ in self.wrote(context) }
        context.write(data, promise: promise)
    }

    private func wrote(_ context: ChannelHandlerContext) {
        writing?.parts -= 1
        guard writing?.parts == 0, context.channel.isActive else { return }
        writing = nil
        if isLingering {
            endOutput(context)
        } else {
            moveDeadline()
            feed(context)
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let progress = event as? ExchangeProgress else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        if !isLingering { follow(progress, context) }
        promise?.succeed()
    }

    private func follow(_ progress: ExchangeProgress, _ context: ChannelHandlerContext) {
        switch progress {
        case .headReceived: phase = .body(since: now(context), received: held.readableBytes)
        case .requestReceived: phase = .answering
        case .answered:
            phase =
                held.readableBytes > 0
                ? .head(until: now(context) + TimeAmount(limits.headTimeout))
                : .waiting(until: now(context) + TimeAmount(limits.idleTimeout))
        case .answeredLast: linger(context)
        case .refused: refuse(.badRequest, context)
        }
        moveDeadline()
    }
}

// MARK: Ending

extension ConnectionGuard {
    private var isLingering: Bool { if case .lingering = phase { true } else { false } }

    /// Closes after the client has taken the answer.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .output:
            linger(context)
            promise?.succeed()
        case .all where isLingering: context.channel.closeFuture.cascade(to: promise)
        default: context.close(mode: mode, promise: promise)
        }
    }

    private func linger(_ context: ChannelHandlerContext) {
        guard !isLingering else { return }
        phase = .lingering(until: nil, dropped: 0)
        held = ByteBuffer()
        if writing == nil { endOutput(context) } else { moveDeadline() }
    }

    private func endOutput(_ context: ChannelHandlerContext) {
        phase = .lingering(until: now(context) + Self.linger, dropped: 0)
        moveDeadline()
        context.close(mode: .output, promise: nil)
        context.read()
    }

    private func drop(_ count: Int, after dropped: Int, until: NIODeadline?, _ context: ChannelHandlerContext) {
        guard dropped + count <= Self.lingerBytes else { return context.close(promise: nil) }
        phase = .lingering(until: until, dropped: dropped + count)
    }

    /// Answers instead of the application, which has seen no request.
    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        refused(Int(status.code))
        let line = "HTTP/1.1 \(status.code) \(status.reasonPhrase)"
        let answer = ByteBuffer(string: "\(line)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        write(context: context, data: wrapOutboundOut(.byteBuffer(answer)), promise: nil)
        linger(context)
        context.flush()
    }

    private func moveDeadline() {
        let reading: NIODeadline? =
            switch phase {
            case .waiting(let until), .head(let until): until
            case .body(let since, let received): limits.deadline(from: since, bytes: received, within: limits.bodyTimeout)
            case .answering: nil
            case .lingering(let until, _): until
            }
        let writing = writeDeadline
        timer?.move(to: (reading ?? .distantFuture) < (writing ?? .distantFuture) ? reading : writing)
    }

    private var writeDeadline: NIODeadline? {
        writing.map { limits.deadline(from: $0.since, bytes: $0.bytes, within: limits.writeTimeout) }
    }

    private func expire(_ context: ChannelHandlerContext) {
        if let writeDeadline, writeDeadline <= now(context) { return reset(context) }
        switch phase {
        case .waiting, .lingering: context.close(promise: nil)
        case .head: refuse(.requestTimeout, context)
        case .body:
            phase = .answering
            moveDeadline()
            context.fireUserInboundEventTriggered(BodyDeadlineExpired())
        case .answering: break
        }
    }

    /// Closes a connection whose client does not take its bytes. Without SO_LINGER of 0 the kernel would keep them for minutes.
    private func reset(_ context: ChannelHandlerContext) {
        if let socket = context.channel as? any SocketOptionProvider {
            socket.setSoLinger(NIOLinger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        } else {
            context.close(promise: nil)
        }
    }
}
