public import JWTCore

/// A verified document. Only ``DocumentVerifier`` makes one.
public struct VerifiedDocument: Sendable {
    /// What was signed, decoded: any bytes.
    public let payload: [UInt8]
    /// The signatures that hold, in the document's order. At least one. One key may have made several, and anybody can write a signature
    /// twice: to require several parties, name them in ``DocumentPolicy/signers``, and do not count.
    public let signatures: [VerifiedSignature]
    /// Why the other signatures do not hold, by their places in the document, from zero. Empty if all were required.
    public let refusals: [Int: VerificationError]
}

extension VerifiedDocument: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of signatures and of bytes. No byte of the payload is in it.
    public var description: String { "VerifiedDocument(signatures: \(signatures.count), bytes: \(payload.count))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

/// A signature that holds.
public struct VerifiedSignature: Sendable {
    /// The place in the document, from zero.
    public let position: Int
    /// The algorithm that verified it.
    public let algorithm: SignatureAlgorithm
    /// The key that verified it.
    public let key: VerificationKey
    /// The protected header as JSON, decoded; empty if there is none. What the unprotected header says is not signed, so it is not kept.
    public let protectedHeader: [UInt8]
}
