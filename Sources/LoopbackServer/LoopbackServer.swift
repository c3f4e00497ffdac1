import Glibc
import JWTCore

/// An HTTP/1.1 server on 127.0.0.1 for tests, which can answer correctly or with any fault. It has a thread for each connection and stops
/// with its last reference.
///
///     let server = try LoopbackServer { request in .json(#"{"keys":[]}"#) }
///     server.url("/keys")                 // http://127.0.0.1:…/keys
///     server.requests.count
///     server.answer { request in .status(503) }
public final class LoopbackServer: Sendable {
    public typealias Responder = @Sendable (Request) -> Answer

    /// The port of the listener.
    public let port: UInt16
    private let listener: Listener

    /// - Throws: if the system gives no socket.
    public init(_ responder: @escaping Responder) throws(SocketFailure) {
        listener = try Listener(responder)
        port = listener.port
        try listener.start()
    }

    deinit { listener.stop() }

    /// The URL of a path; with an empty path, the server's own.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Changes the answers from the next request on.
    public func answer(_ responder: @escaping Responder) { listener.state.withLock { $0.responder = responder } }

    /// Every request whose head has been read, in order.
    public var requests: [Request] { listener.state.withLock { $0.requests } }

    /// The number of requests for a path, without its query.
    public func count(of path: String) -> Int { requests.count { $0.path == path } }

    /// The number of accepted connections, with or without a request.
    public var connections: Int { listener.state.withLock { $0.connections } }

    /// A port without a listener, for the lifetime of the process. If it were released, another test's server could get it and receive
    /// requests that must find no listener.
    public static func closedPort() throws(SocketFailure) -> UInt16 { try Socket.bound().port() }
}

/// A system call that failed.
public struct SocketFailure: Error, CustomStringConvertible {
    public let description: String

    init(_ call: String) { description = "\(call): error \(errno)" }
}
