import JWTCore
import Locks
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An HTTPS server on 127.0.0.1 that answers every request with 200 and one document.
final class TLSServer: Sendable {
    static let answer = #"{"keys":[]}"#

    let port: UInt16
    private let channel: any Channel
    private let counter = Locked(0)
    private let presented: Locked<NIOSSLContext>

    /// The number of requests received.
    var requests: Int { counter.withLock { $0 } }

    /// - Parameter adjust: changes the TLS settings.
    init(
        certificate name: String, _ authority: TestAuthority, document: String = TLSServer.answer,
        adjust: (inout TLSConfiguration) throws -> Void = { _ in }
    ) async throws {
        let presented = Locked(try Self.context(name, authority, adjust))
        self.presented = presented
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [counter, presented] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: presented.withLock { $0 }))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Responder(counter, document))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    deinit { channel.close(promise: nil) }

    /// Presents another certificate from the next connection on.
    func present(_ name: String, _ authority: TestAuthority) throws {
        let context = try Self.context(name, authority)
        presented.withLock { $0 = context }
    }

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

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let counter: Locked<Int>
        private let document: String

        init(_ counter: Locked<Int>, _ document: String) { (self.counter, self.document) = (counter, document) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: counter.withLock { $0 += 1 }
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
