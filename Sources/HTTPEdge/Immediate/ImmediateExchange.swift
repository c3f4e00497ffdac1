internal import NIOCore
internal import NIOHTTP1

/// Answers the requests of one connection, one after the other, on its event loop. It stands directly behind the parser.
///
/// It holds to the rules of ``RequestGuard`` and to the order of NIO's handler for pipelined requests. In place of three handlers and an
/// encoder there is this one, because each costs a request more than its answer.
final class ImmediateExchange: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    fileprivate enum Stage {
        case noRequest
        case receiving(HTTPRequestHead, bytes: Int)
        /// A task has the request.
        case waiting
        /// The last answer is given.
        case over
    }

    /// What the parser gave.
    private enum Input {
        case part(HTTPServerRequestPart)
        case malformed
        case end
    }

    private let bodyBytes: Int
    private let respond: ImmediateChannel.Respond
    private var stage = Stage.noRequest
    /// Whether the current answer is the connection's last.
    private var isLast = false
    private var isDraining = false
    /// What came behind a request that waits: at most what one piece of ``ConnectionGuard`` holds, because nothing is read meanwhile.
    private var later = CircularBuffer<Input>(initialCapacity: 0)
    private var readIsHeld = false
    /// The answers of one read, which are written together.
    private var output: ByteBuffer?

    init(bodyBytes: Int, respond: @escaping ImmediateChannel.Respond) {
        self.bodyBytes = bodyBytes
        self.respond = respond
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { take(.part(unwrapInboundIn(data)), context) }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush(context)
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        later.removeAll()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is HTTPParserError: take(.malformed, context)
        case is ByteToMessageDecoderError: break
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: take(.end, context)
        case is BodyDeadlineExpired: if case .receiving(let head, _) = stage { answer(head, .tooSlow, context) }
        case is DrainBegins: makeLast()
        case is ChannelShouldQuiesceEvent: drain(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// While a request waits, the connection is not read; after the last answer only ``ConnectionGuard`` reads, and drops.
    func read(context: ChannelHandlerContext) {
        switch stage {
        case .noRequest, .receiving: context.read()
        case .waiting: readIsHeld = true
        case .over: break
        }
    }
}

// MARK: Receiving

extension ImmediateExchange {
    private func take(_ input: Input, _ context: ChannelHandlerContext) {
        switch (input, stage) {
        case (_, .waiting): later.append(input)
        case (.part(.head(let head)), .noRequest): receive(head, context)
        case (.part(.body(let part)), .receiving(let head, let bytes)):
            guard bytes + part.readableBytes <= bodyBytes else { return answer(head, .tooLarge, context) }
            stage = .receiving(head, bytes: bytes + part.readableBytes)
        case (.part(.end), .receiving(let head, _)):
            tell(.requestReceived, context)
            answer(head, nil, context)
        case (.malformed, .noRequest): refuse(context)
        case (.malformed, .receiving(let head, _)): answer(head, .malformed, context)
        case (.end, .noRequest), (.end, .receiving): close(context)
        // The parser repeats an error for all later bytes.
        case (.part, _), (.malformed, .over), (.end, .over): break
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let framing = HeadFraming(head.headers)
        guard framing.isAcceptable(head.version) else { return refuse(context) }
        isLast = isDraining || head.isLast || framing.asksForUpgrade
        stage = .receiving(head, bytes: 0)
        tell(.headReceived, context)
        if let announced = framing.length, Int(announced) ?? .max > bodyBytes { answer(head, .tooLarge, context) }
    }

    /// ``ConnectionGuard`` answers, behind the answers so far.
    private func refuse(_ context: ChannelHandlerContext) {
        stage = .over
        write(context)
        tell(.refused, context)
    }

    /// RFC 9112 section 9.6: a client that has ended its side gets its answers before the connection ends.
    private func close(_ context: ChannelHandlerContext) {
        stage = .over
        flush(context)
        context.close(mode: .output, promise: nil)
    }

    /// Makes the answer under way, or the next one, the connection's last.
    private func makeLast() {
        isDraining = true
        switch stage {
        case .receiving, .waiting: isLast = true
        case .noRequest, .over: break
        }
    }

    private func drain(_ context: ChannelHandlerContext) {
        makeLast()
        guard case .noRequest = stage else { return }
        flush(context)
        context.close(promise: nil)
    }
}

// MARK: Answering

extension ImmediateExchange {
    /// After a fault the start of the next request is unknown.
    private func answer(_ head: HTTPRequestHead, _ fault: RequestFault?, _ context: ChannelHandlerContext) {
        if fault != nil { isLast = true }
        switch respond(ImmediateRequest(head), fault) {
        case .answer(let answer): give(answer, context)
        case .waiting(let answer):
            stage = .waiting
            wait(for: answer, context)
        }
    }

    /// The task runs on this event loop. It ends also if the client has gone: its answer is counted.
    private func wait(for answer: @escaping @Sendable () async -> ImmediateAnswer, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((exchange: self, context: context), eventLoop: context.eventLoop)
        Task(executorPreference: EventLoopExecutor(context.eventLoop)) {
            let answer = await answer()
            bound.value.exchange.resume(answer, bound.value.context)
        }
    }

    private func resume(_ answer: ImmediateAnswer, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        give(answer, context)
        while stage.isOpen, let input = later.popFirst() { take(input, context) }
        flush(context)
        guard readIsHeld, stage.isOpen else { return }
        readIsHeld = false
        context.read()
    }

    private func give(_ answer: ImmediateAnswer, _ context: ChannelHandlerContext) {
        var bytes = output.take() ?? context.channel.allocator.buffer(capacity: 512)
        answer.write(to: &bytes, isLast: isLast)
        output = bytes
        stage = isLast ? .over : .noRequest
        if isLast {
            write(context)
            tell(.answeredLast, context)
            context.flush()
        } else {
            tell(.answered, context)
        }
        guard let afterwards = answer.afterwards else { return }
        flush(context)
        afterwards()
    }

    private func flush(_ context: ChannelHandlerContext) {
        guard output != nil else { return }
        write(context)
        context.flush()
    }

    private func write(_ context: ChannelHandlerContext) {
        guard let bytes = output.take() else { return }
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
    }

    private func tell(_ progress: ExchangeProgress, _ context: ChannelHandlerContext) {
        context.triggerUserOutboundEvent(progress, promise: nil)
    }
}

extension ImmediateExchange.Stage {
    /// Whether requests are taken.
    fileprivate var isOpen: Bool {
        switch self {
        case .noRequest, .receiving: true
        case .waiting, .over: false
        }
    }
}
