#if Gateway
internal import Gateway
package import HTTPEdge
internal import JWTCore
package import NIOCore
internal import NIOHPACK
package import NIOHTTP2

/// One call: collects its message, asks ``AuthorizationService``, and answers. It is the only handler of its stream.
package final class AuthorizationCall: ChannelInboundHandler {
    package typealias InboundIn = HTTP2Frame.FramePayload
    package typealias OutboundOut = HTTP2Frame.FramePayload

    private enum Phase {
        case head
        case message(GRPCMethod, ByteBuffer)
        case deciding(Task<Void, Never>)
        case over
    }

    private let service: AuthorizationService
    private let limits: AuthorizationLimits
    private let executor: EventLoopExecutor
    private var phase = Phase.head
    /// Whether the whole request has arrived.
    private var isWhole = false
    private var timer: Scheduled<Void>?

    /// - Parameter executor: runs decisions on the event loop of the call.
    package init(service: AuthorizationService, limits: AuthorizationLimits, executor: EventLoopExecutor) {
        self.service = service
        self.limits = limits
        self.executor = executor
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), phase) {
        case (.headers(let head), .head): receive(head, context)
        case (.headers(let trailers), .message(let method, let body)) where trailers.endStream: answer(method, body, context)
        case (.data(let part), .message(let method, let body)): receive(part, method, body, context)
        default: break
        }
    }

    /// The timer of a call is needed only if the call does not arrive at once.
    package func channelReadComplete(context: ChannelHandlerContext) {
        if isReceiving, timer == nil {
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.messageTimeout)) { self.expire(context) }
        }
        context.fireChannelReadComplete()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end()
        context.close(promise: nil)
    }
}

// MARK: Receiving

extension AuthorizationCall {
    private var isReceiving: Bool {
        switch phase {
        case .head, .message: true
        case .deciding, .over: false
        }
    }

    /// RFC 9113 section 8.1.1 leaves the stream open after an answer without the whole request; closing it then resets it.
    private func receive(_ head: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
        guard head.headers.first(name: ":method") == "POST", head.headers.isGRPC else {
            return finish([(":status", "415")], context)
        }
        guard let method = head.headers.first(name: ":path").flatMap(GRPCMethod.init(rawValue:)) else {
            return fail(.unimplemented, context)
        }
        phase = .message(method, ByteBuffer())
        if head.endStream { answer(method, ByteBuffer(), context) }
    }

    private func receive(
        _ part: HTTP2Frame.FramePayload.Data, _ method: GRPCMethod, _ body: ByteBuffer, _ context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(var bytes) = part.data else { return fail(.internal, context) }
        var body = body
        // The phase must not keep a second reference, or the buffer would be copied.
        phase = .head
        guard body.readableBytes + bytes.readableBytes <= limits.messageBytes + LengthPrefixedMessage.prefixBytes else {
            return refuseTooLarge(method, context)
        }
        if body.readableBytes == 0 { body = bytes } else { body.writeBuffer(&bytes) }
        phase = .message(method, body)
        if part.endStream { answer(method, body, context) }
    }

    private func refuseTooLarge(_ method: GRPCMethod, _ context: ChannelHandlerContext) {
        guard method == .check else { return fail(.resourceExhausted, context) }
        succeed(service.refuseMalformed().bytes, context)
    }

    private func expire(_ context: ChannelHandlerContext) {
        timer = nil
        if isReceiving { fail(.deadlineExceeded, context) }
    }
}

// MARK: Answering

extension AuthorizationCall {
    private func answer(_ method: GRPCMethod, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        isWhole = true
        do {
            let range = try LengthPrefixedMessage.range(in: body.readableBytesUInt8Span)
            let message = body.readableBytesUInt8Span.extracting(range)
            switch method {
            case .check: check(message, context)
            case .health: reportHealth(Array(copying: message), context)
            }
        } catch {
            fail(error, context)
        }
    }

    private func check(_ message: Span<UInt8>, _ context: ChannelHandlerContext) {
        guard let request = try? CheckRequest(decoding: message, readsClient: service.readsClient()) else {
            return succeed(service.refuseMalformed().bytes, context)
        }
        decide(context) { [decide = service.decide] in .success(CheckResponse(await decide(request.facts)).bytes) }
    }

    private func reportHealth(_ message: [UInt8], _ context: ChannelHandlerContext) {
        decide(context) { [isReady = service.isReady] in
            let isReady = await isReady()
            return Result { () throws(GRPCStatus) in try HealthCheck.response(to: message.span, isReady: isReady) }
        }
    }

    private func decide(
        _ context: ChannelHandlerContext, _ response: @escaping @Sendable () async -> Result<[UInt8], GRPCStatus>
    ) {
        let bound = NIOLoopBound((call: self, context: context), eventLoop: context.eventLoop)
        phase = .deciding(
            Task(executorPreference: executor) {
                let result = await response()
                // The executor has brought the task back to the event loop, which the bound value checks.
                bound.value.call.decided(result, bound.value.context)
            })
    }

    /// Envoy may have reset the stream meanwhile.
    private func decided(_ result: Result<[UInt8], GRPCStatus>, _ context: ChannelHandlerContext) {
        guard case .deciding = phase else { return }
        switch result {
        case .success(let message): succeed(message, context)
        case .failure(let status): fail(status, context)
        }
    }

    private func succeed(_ message: [UInt8], _ context: ChannelHandlerContext) {
        var body = context.channel.allocator.buffer(capacity: message.count + LengthPrefixedMessage.prefixBytes)
        body.writeBytes(LengthPrefixedMessage.prefix(ofBytes: message.count))
        body.writeBytes(message)
        write(.headers(.init(headers: [":status": "200", "content-type": "application/grpc"])), context)
        write(.data(.init(data: .byteBuffer(body))), context)
        finish([("grpc-status", "0")], context)
    }

    /// A call that fails has its status in the only frame of its answer.
    private func fail(_ status: GRPCStatus, _ context: ChannelHandlerContext) {
        finish([(":status", "200"), ("content-type", "application/grpc"), ("grpc-status", String(status.rawValue))], context)
    }

    /// Writes the last frame. A request that has not arrived in whole is reset after it.
    private func finish(_ fields: [(String, String)], _ context: ChannelHandlerContext) {
        end()
        let last = HTTP2Frame.FramePayload.headers(.init(headers: HPACKHeaders(fields), endStream: true))
        guard !isWhole else { return context.writeAndFlush(wrapOutboundOut(last), promise: nil) }
        // Closing before the stream has written would drop the message: the call would fail, and Envoy may be told to let such requests pass.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(last), promise: written)
    }

    private func write(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(payload), promise: nil)
    }

    private func end() {
        timer?.cancel()
        timer = nil
        if case .deciding(let task) = phase { task.cancel() }
        phase = .over
    }
}

extension HPACKHeaders {
    /// The media type of gRPC, with or without the name of the message's format.
    fileprivate var isGRPC: Bool {
        guard let type = first(name: "content-type") else { return false }
        return type == "application/grpc" || type.hasPrefix("application/grpc+proto") || type.hasPrefix("application/grpc;")
    }
}
#endif
