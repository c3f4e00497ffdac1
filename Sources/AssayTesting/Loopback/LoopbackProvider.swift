internal import JWKSCache
public import JWTCore

/// An OpenID provider for tests on 127.0.0.1: metadata and keys over HTTP. It ends with its last reference.
///
/// ```swift
/// let provider = try LoopbackProvider()
/// let token = try provider.issuer.idToken(["nonce": "n-1"])
/// try provider.issuer.rotate()
/// provider.issuer.isUp = false
/// ```
///
/// A key set needs a transport that permits http to loopback: `allowsLoopbackHTTP` of the configuration of `GuardedClient`.
public final class LoopbackProvider: Sendable {
    /// The issuer that it serves; its identifier is `http://127.0.0.1:` and the port.
    public let issuer: TestIssuer
    private let server: LoopbackServer

    /// - Parameters:
    ///   - algorithms: a key for each, called `key-1`, `key-2`, …; the last one signs.
    ///   - clock: dates its tokens.
    /// - Throws: if the system gives no socket; ``TestKeyError/unavailable(_:)`` if libcrypto has no such keys.
    public init(algorithms: [SignatureAlgorithm] = [.rs256, .es256], clock: any UnixClock = SystemClock()) throws {
        server = try LoopbackServer { _ in .status(503) }
        let issuer = try TestIssuer("http://127.0.0.1:\(server.port)", algorithms: algorithms, clock: clock)
        self.issuer = issuer
        server.answer { request in
            guard let response = issuer.response(to: request.path, entityTag: request.field("If-None-Match")) else { return .status(503) }
            return .status(response.status, response.fields.map { ($0.name, $0.value) }, body: response.body)
        }
    }
}
