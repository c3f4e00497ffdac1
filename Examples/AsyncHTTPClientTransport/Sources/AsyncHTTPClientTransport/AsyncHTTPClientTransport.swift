public import AsyncHTTPClient
public import JWKSCache
internal import NIOCore
internal import NIOHTTP1

/// Fetches key documents through AsyncHTTPClient, for a program that has SwiftNIO already. To copy.
///
/// It does less than `HTTPGuard`: it dials every address that a name resolves to, and pins no key. Use it for an issuer that the program's
/// own configuration names.
public struct AsyncHTTPClientTransport: DocumentTransport {
    /// For the client: no redirect, which could lead anywhere, and no more bytes than a key document has.
    public static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, timeout: .init(connect: .seconds(1)))
        configuration.httpVersion = .http1Only
        return configuration
    }

    private let client: HTTPClient
    private let allowsLoopbackHTTP: Bool
    private let bodyBytes = 262_144

    /// - Parameters:
    ///   - client: made with ``configuration``. Its owner shuts it down.
    ///   - allowsLoopbackHTTP: for tests: http to 127.0.0.1.
    public init(_ client: HTTPClient, allowsLoopbackHTTP: Bool = false) {
        self.client = client
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
    }

    public func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        guard request.url.hasPrefix("https://") || allowsLoopbackHTTP && request.url.hasPrefix("http://127.0.0.1:") else {
            throw RequestFailure(.invalidURL)
        }
        do {
            let response = try await client.execute(Self.message(request), timeout: .seconds(3))
            let body = try await response.body.collect(upTo: bodyBytes)
            let fields = response.headers.map { HeaderField($0.name, $0.value) }
            return ReceivedResponse(status: Int(response.status.code), fields: fields, body: Array(body.readableBytesView))
        } catch {
            throw Self.failure(error)
        }
    }

    private static func message(_ request: OutgoingRequest) -> HTTPClientRequest {
        var message = HTTPClientRequest(url: request.url)
        for field in request.fields { message.headers.add(name: field.name, value: field.value) }
        return message
    }

    private static func failure(_ error: any Error) -> RequestFailure {
        switch error {
        case is NIOTooManyBytesError: RequestFailure(.tooLarge)
        case is CancellationError: RequestFailure(.cancelled)
        case let error as HTTPClientError where error == .cancelled: RequestFailure(.cancelled)
        case let error as HTTPClientError where [.deadlineExceeded, .connectTimeout].contains(error): RequestFailure(.timedOut)
        default: RequestFailure(.connection)
        }
    }
}
