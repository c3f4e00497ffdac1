#if HTTP
/// Whose certificates are trusted. That they are verified cannot be turned off.
public enum TrustRoots: Hashable, Sendable {
    /// Those of the system.
    case system
    /// Those of the system, and these.
    case systemAnd(PEM)
    /// These and no other.
    case only(PEM)
}

/// How a client proves who it is to a server that asks (RFC 8446 section 4.4.2).
public struct ClientCertificate: Hashable, Sendable {
    /// The client's own certificate, then those that lead to a root.
    public var chain: PEM
    /// Unencrypted.
    public var key: PEM

    public init(chain: PEM, key: PEM) {
        self.chain = chain
        self.key = key
    }
}
#endif
