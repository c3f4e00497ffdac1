internal import NIOCore
internal import NIOHTTP1

/// Refuses requests with malformed framing, limits their bodies, and ends the connection if the start of the next request is unknown.
///
/// It handles one request at a time, because it stands behind NIO's handler for pipelined requests.
final class RequestGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Stage {
        case noRequest
        case receiving(bytes: Int)
        case received
        /// The reader knows that the rest of the body will not come.
        case faulted
        /// The last answer is written.
        case over
    }

    private let bodyBytes: Int
    private var stage = Stage.noRequest
    /// Whether the current answer is the connection's last.
    private var isLast = false
    private var isDraining = false

    init(bodyBytes: Int) { self.bodyBytes = bodyBytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), stage) {
        case (.head(let head), .noRequest): receive(head, data, context)
        case (.body(let part), .receiving(let bytes)):
            let bytes = bytes + part.readableBytes
            guard bytes <= bodyBytes else { return fail(.tooLarge, context) }
            stage = .receiving(bytes: bytes)
            context.fireChannelRead(data)
        case (.end, .receiving):
            stage = .received
            context.triggerUserOutboundEvent(ExchangeProgress.requestReceived, promise: nil)
            context.fireChannelRead(data)
        default: break
        }
    }

    private func receive(_ head: HTTPRequestHead, _ data: NIOAny, _ context: ChannelHandlerContext) {
        let framing = HeadFraming(head.headers)
        // Behind this handler the host of a target is gone.
        guard framing.isAcceptable(head.version), framing.hasHost(of: head.uri) else { return refuse(context) }
        isLast = head.isLast || framing.asksForUpgrade
        stage = .receiving(bytes: 0)
        context.triggerUserOutboundEvent(ExchangeProgress.headReceived, promise: nil)
        context.fireChannelRead(data)
        if let announced = framing.length, Int(announced) ?? .max > bodyBytes { fail(.tooLarge, context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error, stage) {
        case (is HTTPParserError, .noRequest): refuse(context)
        case (is HTTPParserError, .receiving): fail(.malformed, context)
        // The parser repeats the error for all later bytes.
        case (is HTTPParserError, _), (is ByteToMessageDecoderError, _): break
        default:
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is DrainBegins: isDraining = true
        case is BodyDeadlineExpired: if case .receiving = stage { fail(.tooSlow, context) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The rest of a refused body is not read.
    func read(context: ChannelHandlerContext) {
        switch stage {
        case .faulted, .over: break
        case .noRequest, .receiving, .received: context.read()
        }
    }

    /// Reports the fault to the reader of the body, which answers. The start of the next request is unknown.
    private func fail(_ fault: RequestFault, _ context: ChannelHandlerContext) {
        stage = .faulted
        isLast = true
        context.fireErrorCaught(fault)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        stage = .over
        context.triggerUserOutboundEvent(ExchangeProgress.refused, promise: nil)
    }
}

extension RequestGuard {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .over = stage {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): write(head, context, promise)
        case .body: context.write(data, promise: promise)
        case .end: end(data, context, promise)
        }
    }

    private func write(_ head: HTTPResponseHead, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        // An answer before the end of its request is the last: reading on would let the client send without a limit.
        if case .receiving = stage { isLast = true }
        if isDraining { isLast = true }
        var head = head
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    /// If the answer is not the last, its progress is reported first, because the write delivers the next request.
    private func end(_ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard isLast else {
            stage = .noRequest
            context.triggerUserOutboundEvent(ExchangeProgress.answered, promise: nil)
            context.write(data, promise: promise)
            return
        }
        stage = .over
        context.write(data, promise: promise)
        context.triggerUserOutboundEvent(ExchangeProgress.answeredLast, promise: nil)
        context.flush()
    }
}
