/// The trusted certificates. Verification cannot be turned off.
public enum TrustRoots: Hashable, Sendable {
    /// Those of the system.
    case system
    /// Those of the system and these.
    case systemAnd(PEM)
    /// Only these.
    case only(PEM)
}

/// A client's certificate for servers that ask for one (RFC 8446 section 4.4.2).
public struct ClientCertificate: Hashable, Sendable {
    /// The client's own certificate, then the chain to a root.
    public var chain: PEM
    /// The private key, unencrypted.
    public var key: PEM

    public init(chain: PEM, key: PEM) {
        self.chain = chain
        self.key = key
    }
}
