/// A place of a request that may hold a token.
public enum TokenSource: Hashable, Sendable {
    /// The field `Authorization` with this scheme, compared without case (RFC 6750 section 2.1).
    case authorization(scheme: String)
    /// A field with the token after `prefix`.
    case header(name: String, prefix: String)
    case cookie(name: String)
    /// A parameter of the query (RFC 6750 section 2.3).
    case query(name: String)
    /// An element of `Sec-WebSocket-Protocol` that begins with `prefix`, in which the token follows. With a prefix that begins with
    /// `base64url.` the token is in base64url once more, as servers of Kubernetes have it.
    case webSocketProtocol(prefix: String)
    /// An entry of the gateway's own context. The upstream gets whatever the gateway took it from.
    case context(name: String)

    public static let bearer = Self.authorization(scheme: "Bearer")
}

extension TokenSource {
    var isOfContext: Bool { if case .context = self { true } else { false } }

    /// The field that is only for the token, in lower case.
    var ownField: String? {
        switch self {
        case .header(let name, _): name.lowercased()
        case .webSocketProtocol: String(decoding: WebSocketProtocolField.name, as: UTF8.self)
        case .authorization, .cookie, .query, .context: nil
        }
    }
}
