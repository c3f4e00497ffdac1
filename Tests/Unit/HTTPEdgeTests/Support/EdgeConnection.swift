import HTTPEdge
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

/// A connection of the edge without a socket: a client at one end, an application at the other, and time that a test advances.
final class EdgeConnection {
    let client = Client()
    let application = Application()
    let refusals = Refusals()
    private let channel = EmbeddedChannel()

    init(_ configure: (inout ConnectionLimits) -> Void = { _ in }) throws {
        var limits = ConnectionLimits()
        configure(&limits)
        try channel.pipeline.syncOperations.addHandler(client)
        try EdgeChannel.addHandlers(to: channel.pipeline.syncOperations, limits, refused: { [refusals] in refusals.append($0) })
        try channel.pipeline.syncOperations.addHandler(application)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        channel.read()
    }

    deinit {
        // Ends a connection that still drops what arrives: `finish` would wait for it, and time stands still here.
        advance(seconds: 60)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    var isOpen: Bool { channel.isActive }

    func send(_ text: String) { client.send(ByteBuffer(string: text)) }

    /// As NIO does when the client has ended its side: reads all there is, asked or not.
    func sendUnasked(_ text: String) { channel.pipeline.fireChannelRead(ByteBuffer(string: text)) }

    func endInput() { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }

    func advance(seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        channel.embeddedEventLoop.run()
    }

    /// The application answers, and the client takes what it gets unless it is told not to.
    func answer(bytes: Int = 2) { application.answer(bytes: bytes) }
}

/// The client's end: a socket that is read only when asked, and bytes that are taken or left.
final class Client: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// What the server has not read.
    private(set) var unread = ByteBuffer()
    private(set) var received = ""
    private(set) var flushes = 0
    var takes = true { didSet { if takes { take() } } }
    private var left: [(data: IOData, promise: EventLoopPromise<Void>?)] = []
    private var isAsked = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for write in left { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        left = []
    }

    func send(_ bytes: ByteBuffer) {
        var bytes = bytes
        unread.writeBuffer(&bytes)
        deliver()
    }

    func read(context: ChannelHandlerContext) {
        isAsked = true
        deliver()
    }

    private func deliver() {
        guard isAsked, let context, context.channel.isActive, unread.readableBytes > 0,
            let bytes = unread.readSlice(length: min(16_384, unread.readableBytes))
        else { return }
        isAsked = false
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        context.channel.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        left.append((unwrapOutboundIn(data), promise))
    }

    func flush(context: ChannelHandlerContext) {
        flushes += 1
        if takes { take() }
    }

    /// Closes the connection from the client's side.
    func leave() { context?.close(promise: nil) }

    private func take() {
        while !left.isEmpty {
            let write = left.removeFirst()
            if case .byteBuffer(let bytes) = write.data { received += String(buffer: bytes) }
            write.promise?.succeed()
        }
    }
}

/// The application's end: notes what it gets, and answers when told.
final class Application: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private(set) var paths: [String] = []
    private(set) var bodyBytes = 0
    /// Requests that came whole.
    private(set) var whole = 0
    private(set) var faults: [RequestFault] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): paths.append(head.path ?? "")
        case .body(let bytes): bodyBytes += bytes.readableBytes
        case .end: whole += 1
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let fault = error as? RequestFault { faults.append(fault) } else { context.fireErrorCaught(error) }
    }

    func answer(bytes: Int) {
        guard let context else { return }
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: String(bytes)])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(repeating: 0x2a, count: bytes))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
