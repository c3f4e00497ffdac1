public import JWTCore

/// The request that came with a proof, in the caller's memory, which it cannot outlive. Its parts come from facts that the server trusts,
/// never from the proof.
public struct ProofRequest: ~Escapable {
    let method: Span<UInt8>
    let scheme: Span<UInt8>
    let authority: Span<UInt8>
    let target: Span<UInt8>
    /// Nil where the request brings no access token, as one to a token endpoint.
    let binding: Binding?

    /// An access token, and the key that it is bound to.
    struct Binding: ~Escapable {
        let token: Span<UInt8>
        let thumbprint: KeyThumbprint

        @_lifetime(copy token)
        init(_ token: Span<UInt8>, _ thumbprint: KeyThumbprint) {
            self.token = token
            self.thumbprint = thumbprint
        }
    }

    /// A request with an access token that is bound to a key.
    ///
    /// - Parameters:
    ///   - method: the method, with its case.
    ///   - scheme: `https` or `http`, by which the client has asked.
    ///   - authority: host and, where it is named, port.
    ///   - target: path and query as the client sent them. The query is not looked at.
    ///   - accessToken: the token as it was sent, behind the scheme of `Authorization`.
    ///   - thumbprint: the key that the verified token names (`Claims.confirmation`).
    @_lifetime(copy method, copy scheme, copy authority, copy target, copy accessToken)
    public init(
        method: Span<UInt8>, scheme: Span<UInt8>, authority: Span<UInt8>, target: Span<UInt8>, accessToken: Span<UInt8>,
        boundTo thumbprint: KeyThumbprint
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.target = target
        binding = Binding(accessToken, thumbprint)
    }

    /// A request without an access token, such as one to a token endpoint (RFC 9449 section 5). A proof for it needs no `ath`.
    ///
    /// - Parameters:
    ///   - method: the method, with its case.
    ///   - scheme: `https` or `http`, by which the client has asked.
    ///   - authority: host and, where it is named, port.
    ///   - target: path and query as the client sent them. The query is not looked at.
    @_lifetime(copy method, copy scheme, copy authority, copy target)
    public init(method: Span<UInt8>, scheme: Span<UInt8>, authority: Span<UInt8>, target: Span<UInt8>) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.target = target
        binding = nil
    }
}
