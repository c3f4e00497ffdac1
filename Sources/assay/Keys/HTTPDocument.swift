import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One small document over https: at most 256 KiB, within 5 seconds, no redirect to another origin. Plain http reaches loopback only.
final class HTTPDocument: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    static let maximumBytes = 262_144
    static let timeout: TimeInterval = 5

    /// The body behind `address`.
    ///
    /// - Throws: ``CommandFailure`` with exit code 3.
    static func fetch(_ address: String, isFresh: Bool = false) async throws -> [UInt8] {
        guard let url = URL(string: address), let host = url.host, isAdmissible(url, host) else {
            throw CommandFailure.keysUnavailable("\(address): only https addresses are fetched (http on loopback)")
        }
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if isFresh { request.setValue("no-cache", forHTTPHeaderField: "Cache-Control") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = timeout
        let document = HTTPDocument(url)
        let session = URLSession(configuration: configuration, delegate: document, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await withCheckedThrowingContinuation { continuation in
            document.continuation = continuation
            session.dataTask(with: request).resume()
        }
    }

    private static func isAdmissible(_ url: URL, _ host: String) -> Bool {
        url.scheme == "https" || url.scheme == "http" && ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }

    // The session calls its delegate on one serial queue; the continuation is set before the task starts.
    private let origin: URL
    private var body: [UInt8] = []
    private var refusal: String?
    private var continuation: CheckedContinuation<[UInt8], any Error>?

    private init(_ origin: URL) { self.origin = origin }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body.append(contentsOf: data)
        if body.count > Self.maximumBytes {
            refusal = "more than \(Self.maximumBytes) bytes"
            dataTask.cancel()
        }
    }

    func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let target = newRequest.url
        let isSameOrigin = target?.scheme == origin.scheme && target?.host == origin.host && target?.port == origin.port
        if !isSameOrigin { refusal = "a redirect to another origin" }
        completionHandler(isSameOrigin ? newRequest : nil)
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        if let refusal {
            finish(.failure(CommandFailure.keysUnavailable("\(origin.absoluteString): \(refusal)")))
        } else if let error {
            finish(.failure(CommandFailure.keysUnavailable("\(origin.absoluteString): \(error.localizedDescription)")))
        } else if status != 200 {
            finish(.failure(CommandFailure.keysUnavailable("\(origin.absoluteString): answered \(status)")))
        } else {
            finish(.success(body))
        }
    }

    private func finish(_ result: Result<[UInt8], any Error>) {
        continuation?.resume(with: result)
        continuation = nil
    }
}
