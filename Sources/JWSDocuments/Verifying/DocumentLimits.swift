public import JWTCore

/// The limits of a signed document, checked before any signature. Each default has its reason; set your own if your documents need more.
public struct DocumentLimits: Hashable, Sendable {
    /// Of each header, and the number of keys that are tried for a signature.
    public var token = TokenLimits.standard
    /// Bytes of the document. 1 MiB: it is in memory as a whole, decoded and encoded. Larger payloads are detached.
    public var bytes = 1_048_576
    /// Signatures of one document. 8: parties that sign the same text; each costs a verification.
    public var signatures = 8

    public init() {}

    public static let standard = Self()
}
