internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One request over HTTP/1.1 and its answer. It follows no redirect.
struct WireExchange {
    private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    struct Failure: Error {
        let reason: String
    }

    private static let largestBody = 8 << 20
    private static let longestSeconds: Int64 = 120

    private let host: String
    private let port: Int
    private let head: HTTPRequestHead
    private let body: [UInt8]?

    /// - Parameters:
    ///   - url: `http://HOST:PORT/PATH`. What no URL has is percent-encoded.
    ///   - fields: without `Content-Length`. `Host` replaces that of the URL.
    init(_ url: String, method: String, fields: [(String, String)], body: [UInt8]?) throws {
        guard let parts = URLComponents(string: url), parts.scheme == "http", let host = parts.host, let port = parts.port else {
            throw Failure(reason: "\(url) is no URL of a loopback server")
        }
        (self.host, self.port, self.body) = (host, port, body)
        var headers = HTTPHeaders(fields)
        if !headers.contains(name: "Host") { headers.add(name: "Host", value: "\(host):\(port)") }
        if body != nil || method == "POST" || method == "PUT" { headers.add(name: "Content-Length", value: "\(body?.count ?? 0)") }
        let target = parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: target, headers: headers)
    }

    /// Throws ``Failure`` if the server closes the connection before the end of its answer, or takes too long.
    func reply() async throws -> WireReply {
        let channel = try await sent()
        let deadline = channel.channel.eventLoop.scheduleTask(in: .seconds(Self.longestSeconds)) { channel.channel.close(promise: nil) }
        defer { deadline.cancel() }
        return try await channel.executeThenClose { parts, _ in try await Self.answer(parts) }
    }

    /// Connects, and sends on the event loop: a task of a busy process could come later than the server waits for a head. What cannot be
    /// sent is no failure: a server may refuse before it has read the whole request, and its answer counts.
    private func sent() async throws -> Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in channel.pipeline.addHTTPClientHandlers() }
            .connect(host: host, port: port)
            .flatMapThrowing { [head, body] channel in
                let requests = try Channel(wrappingChannelSynchronously: channel)
                channel.write(HTTPClientRequestPart.head(head), promise: nil)
                if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil) }
                channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
                return requests
            }
            .get()
    }

    private static func answer(_ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>) async throws -> WireReply {
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        for try await part in parts {
            switch part {
            case .head(let received): head = received
            case .body(let bytes):
                body += bytes.readableBytesView
                guard body.count <= largestBody else { throw Failure(reason: "more than \(largestBody) bytes") }
            case .end:
                guard let head else { break }
                return WireReply(status: Int(head.status.code), fields: head.headers.map { ($0.name, $0.value) }, body: body)
            }
        }
        throw Failure(reason: "no whole answer")
    }
}
