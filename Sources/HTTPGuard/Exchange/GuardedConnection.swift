#if HTTP
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// A connection to one address, for one request.
final class GuardedConnection: Sendable {
    private let address: IPAddress
    private let target: TargetURL
    private let limits: RequestLimits
    private let proxy: Proxy?
    private let established = Atomic(false)

    /// - Parameter address: the proxy's if there is one, else the target's.
    init(to address: IPAddress, for target: TargetURL, _ limits: RequestLimits, proxy: Proxy?) {
        self.address = address
        self.target = target
        self.limits = limits
        self.proxy = proxy
    }

    /// Whether a connection was made and accepted. The request may then have been sent over it.
    var isEstablished: Bool { established.load(ordering: .acquiring) }

    /// Sends the request and receives the answer.
    func exchange(_ request: OutgoingRequest, _ guarded: GuardedClient) async throws -> ReceivedResponse {
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration(of: guarded))
        // Not awaited: a connection being made ends at its own time-out, which must not delay the response.
        defer { client.shutdown { _ in } }
        let response = try await client.execute(message(request, guarded.configuration), deadline: .now() + TimeAmount(limits.total))
        try checkCoding(response.headers)
        return ReceivedResponse(
            status: Int(response.status.code), fields: response.headers.map { HeaderField($0.name, $0.value) },
            body: try await collect(response.body))
    }

    private func configuration(of guarded: GuardedClient) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: guarded.tls, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(limits.connect)), decompression: .enabled(limit: .size(limits.bodyBytes)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.http1_1ConnectionDebugInitializer = { [self, pins = guarded.configuration.pins] in admit($0, pins) }
        if let proxy {
            let credentials = proxy.credentials.map { HTTPClient.Authorization.basic(username: $0.user, password: $0.password) }
            configuration.proxy = .server(host: address.description, port: Int(proxy.port), authorization: credentials)
        } else if target.literal == nil {
            configuration.dnsOverride = [target.origin.host: address.description]
        }
        return configuration
    }

    private func message(_ request: OutgoingRequest, _ configuration: GuardedClient.Configuration) -> HTTPClientRequest {
        var message = HTTPClientRequest(url: target.text)
        message.method = HTTPMethod(rawValue: request.method)
        message.headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
        for field in configuration.originFields.filter({ $0.origin == target.origin }).flatMap(\.fields) {
            message.headers.replaceOrAdd(name: field.name, value: field.value)
        }
        if !message.headers.contains(name: "User-Agent") { message.headers.add(name: "User-Agent", value: configuration.userAgent) }
        // Otherwise the client would ask for gzip itself.
        message.headers.add(name: "Accept-Encoding", value: "identity")
        if !request.body.isEmpty { message.body = .bytes(ByteBuffer(bytes: request.body)) }
        return message
    }

    /// Checks a connection after the handshake and before the request: the remote address and the certificate.
    private func admit(_ channel: any Channel, _ pins: Set<PublicKeyPin>) -> EventLoopFuture<Void> {
        do {
            try check(channel, pins)
            established.store(true, ordering: .releasing)
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            // The pool forgets a refused connection but does not close it; and it must forget it first.
            channel.eventLoop.execute { channel.close(promise: nil) }
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    private func check(_ channel: any Channel, _ pins: Set<PublicKeyPin>) throws {
        guard let peer = channel.remoteAddress.flatMap(IPAddress.init) else { throw ChannelError.ioOnClosedChannel }
        guard peer == address else { throw RequestFailure(.forbiddenAddress, "\(target.origin) was to be \(address) and is \(peer)") }
        guard target.origin.isSecure else { return }
        guard let certificate = try channel.pipeline.syncOperations.nioSSL_peerCertificate(), certificate.isFor(target) else {
            throw RequestFailure(.tls, "the certificate is not for \(target.origin.host)")
        }
        guard certificate.hasStrongKey else {
            throw RequestFailure(.tls, "the certificate of \(target.origin) has a weak key")
        }
        guard pins.isEmpty || PublicKeyPin(certificate).map(pins.contains) == true else {
            throw RequestFailure(.pinMismatch, "the key of \(target.origin) is none of those pinned")
        }
    }

    /// Refuses a coding that the client would not decode.
    private func checkCoding(_ headers: HTTPHeaders) throws(RequestFailure) {
        guard [[], ["identity"], ["gzip"], ["deflate"]].contains(headers[canonicalForm: "Content-Encoding"]) else {
            throw RequestFailure(.malformed, "\(target) comes in a content coding that was not asked for")
        }
    }

    private func collect(_ body: HTTPClientResponse.Body) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in body {
            guard part.readableBytes <= limits.bodyBytes - bytes.count else {
                throw RequestFailure(.tooLarge, "\(target) has more than \(limits.bodyBytes) bytes")
            }
            bytes.append(contentsOf: part.readableBytesView)
        }
        // If its reader is cancelled, a body ends early and looks complete.
        try Task.checkCancellation()
        return bytes
    }
}
#endif
