#if HTTP
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTPS server on 127.0.0.1 that answers 200 and one document to everything.
final class TLSServer: Sendable {
    static let answer = #"{"keys":[]}"#

    let port: UInt16
    private let channel: any Channel
    private let counter = Counter()
    private let presented: Presented

    /// How many requests arrived.
    var requests: Int { counter.value.load(ordering: .acquiring) }

    /// - Parameter adjust: changes the settings of TLS.
    init(
        certificate name: String, _ authority: TestAuthority, document: String = TLSServer.answer,
        adjust: (inout TLSConfiguration) throws -> Void = { _ in }
    ) async throws {
        let presented = Presented(try Self.context(name, authority, adjust))
        self.presented = presented
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [counter, presented] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: presented.current))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Responder(counter, document))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    deinit { channel.close(promise: nil) }

    /// Shows another certificate from the next connection on.
    func present(_ name: String, _ authority: TestAuthority) throws { presented.replace(try Self.context(name, authority)) }

    private static func context(
        _ name: String, _ authority: TestAuthority, _ adjust: (inout TLSConfiguration) throws -> Void = { _ in }
    ) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(authority.bytes("\(name).pem")).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: authority.bytes("\(name).key"), format: .pem)))
        try adjust(&tls)
        return try NIOSSLContext(configuration: tls)
    }

    func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/keys" }

    private final class Presented: Sendable {
        private let context: Mutex<NIOSSLContext>

        init(_ context: NIOSSLContext) { self.context = Mutex(context) }

        var current: NIOSSLContext { context.withLock { $0 } }

        func replace(_ other: NIOSSLContext) { context.withLock { $0 = other } }
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let counter: Counter
        private let document: String

        init(_ counter: Counter, _ document: String) { (self.counter, self.document) = (counter, document) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: counter.value.add(1, ordering: .acquiringAndReleasing)
            case .body: break
            case .end:
                let body = ByteBuffer(string: document)
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "\(body.readableBytes)"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
#endif
