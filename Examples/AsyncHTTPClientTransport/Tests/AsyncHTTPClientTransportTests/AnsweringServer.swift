internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A server on loopback that answers by the path: with a redirect, with more than a key document has, or by closing the connection.
struct AnsweringServer {
    let port: Int
    private let channel: any Channel

    init() async throws {
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answer())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        self.port = port
    }

    func stop() async throws { try await channel.close() }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = unwrapInboundIn(data) else { return }
            switch request.uri {
            case "/redirect": write(.found, [("Location", "https://elsewhere.example/")], "", context)
            case "/large": write(.ok, [], String(repeating: " ", count: 262_145), context)
            default: context.close(promise: nil)
            }
        }

        private func write(
            _ status: HTTPResponseStatus, _ fields: [(String, String)], _ body: String, _ context: ChannelHandlerContext
        ) {
            let headers = HTTPHeaders(fields + [("Content-Length", "\(body.utf8.count)")])
            context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
