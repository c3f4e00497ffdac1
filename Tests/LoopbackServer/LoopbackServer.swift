import Glibc

/// An HTTP/1.1 server on 127.0.0.1 for tests, which can answer well and in every way that is wrong. It has a thread for each connection
/// and stops when it is no longer held.
///
///     let server = try LoopbackServer { request in .json(#"{"keys":[]}"#) }
///     server.url("/keys")                 // http://127.0.0.1:…/keys
///     server.requests.count
///     server.answer { request in .status(503) }
public final class LoopbackServer: Sendable {
    public typealias Responder = @Sendable (Request) -> Answer

    /// Where it listens.
    public let port: UInt16
    private let listener: Listener

    /// - Throws: where the system gives no socket.
    public init(_ responder: @escaping Responder) throws(SocketFailure) {
        listener = try Listener(responder)
        port = listener.port
        try listener.start()
    }

    deinit { listener.stop() }

    /// The URL of a path, or the server's own with an empty one.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Changes what is answered from the next request on.
    public func answer(_ responder: @escaping Responder) { listener.state.with { $0.responder = responder } }

    /// Every request whose head has been read, in their order.
    public var requests: [Request] { listener.state.with { $0.requests } }

    /// How many requests there were for a path, without its query.
    public func count(of path: String) -> Int { requests.count { $0.path == path } }

    /// How many connections were accepted, with or without a request.
    public var connections: Int { listener.state.with { $0.connections } }

    /// A port on which nobody listens, nor will while the process lives: were it given back, the server of another test could get it, and
    /// with it what was meant for nobody.
    public static func closedPort() throws(SocketFailure) -> UInt16 { try Socket.bound().port() }
}

/// A call of the system that failed.
public struct SocketFailure: Error, CustomStringConvertible {
    public let description: String

    init(_ call: String) { description = "\(call): error \(errno)" }
}
