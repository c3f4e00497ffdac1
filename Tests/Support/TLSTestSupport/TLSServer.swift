internal import Locks
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import NIOSSL

/// An HTTPS server on 127.0.0.1 that answers every request with 200 and one document.
package final class TLSServer: Sendable {
    package static let answer = #"{"keys":[]}"#

    package let port: UInt16
    private let channel: any Channel
    private let received = Locked<[String?]>([])
    private let document: Locked<String>
    private let presented: Locked<NIOSSLContext>

    /// The number of requests received.
    package var requests: Int { authorizations.count }

    /// The `Authorization` of each request.
    package var authorizations: [String?] { received.withLock { $0 } }

    /// - Parameters:
    ///   - wantsCertificate: whether a client needs a certificate of the authority.
    ///   - adjust: changes the TLS settings.
    package init(
        certificate name: String, _ authority: TestAuthority, document: String = TLSServer.answer, wantsCertificate: Bool = false,
        adjust: (inout TLSConfiguration) throws -> Void = { _ in }
    ) async throws {
        let presented = Locked(
            try Self.context(name, authority) {
                if wantsCertificate {
                    $0.certificateVerification = .noHostnameVerification
                    $0.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authority.bytes("root.pem")))
                }
                try adjust(&$0)
            })
        let document = Locked(document)
        (self.presented, self.document) = (presented, document)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [received, presented] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: presented.withLock { $0 }))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Responder(received, document))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    deinit { channel.close(promise: nil) }

    /// Answers with another document from the next request on.
    package func answer(_ text: String) { document.withLock { $0 = text } }

    /// Presents another certificate from the next connection on.
    package func present(_ name: String, _ authority: TestAuthority) throws {
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

    package func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/keys" }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let received: Locked<[String?]>
        private let document: Locked<String>

        init(_ received: Locked<[String?]>, _ document: Locked<String>) { (self.received, self.document) = (received, document) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): received.withLock { $0.append(head.headers.first(name: "Authorization")) }
            case .body: break
            case .end:
                let body = ByteBuffer(string: document.withLock { $0 })
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "\(body.readableBytes)"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
