import Glibc
import JWTCore
import Locks

/// An HTTP/1.1 server on 127.0.0.1 for tests, which can answer correctly or with any fault. It has a thread for each connection and stops
/// with its last reference.
///
///     let server = try LoopbackServer { request in .json(#"{"keys":[]}"#) }
///     server.url("/keys")                 // http://127.0.0.1:…/keys
///     server.requests.count
///     server.answer { request in .status(503) }
package final class LoopbackServer: Sendable {
    package typealias Responder = @Sendable (LoopbackRequest) -> LoopbackAnswer

    /// The port of the listener.
    package let port: UInt16
    private let listener: Listener

    /// - Throws: if the system gives no socket.
    package init(_ responder: @escaping Responder) throws(SocketFailure) {
        listener = try Listener(responder)
        port = listener.port
        try listener.start()
    }

    deinit { listener.stop() }

    /// The URL of a path; with an empty path, the server's own.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Changes the answers from the next request on.
    package func answer(_ responder: @escaping Responder) { listener.state.withLock { $0.responder = responder } }

    /// Every request whose head has been read, in order.
    package var requests: [LoopbackRequest] { listener.state.withLock { $0.requests } }

    /// The number of requests for a path, without its query.
    package func count(of path: String) -> Int { requests.count { $0.path == path } }

    /// The number of accepted connections, with or without a request.
    package var connections: Int { listener.state.withLock { $0.connections } }

    /// A port without a listener, for the lifetime of the process. If it were released, another test's server could get it and receive
    /// requests that must find no listener.
    package static func closedPort() throws(SocketFailure) -> UInt16 { try Socket.bound().port() }

    /// Keeps the port of a server that has stopped without a listener, for the lifetime of the process.
    package static func keepClosed(_ port: UInt16) throws(SocketFailure) { _ = try Socket.bound(again: port) }
}

/// A system call that failed.
package struct SocketFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ call: String) { description = "\(call): error \(errno)" }
}
