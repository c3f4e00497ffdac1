public import JWTCore

/// A verified presentation of an SD-JWT (RFC 9901). Only ``PresentationVerifier`` makes one.
public struct VerifiedPresentation: Sendable {
    private let token: VerifiedToken
    /// The number of disclosures. Each has put one claim or one element of an array into ``claims``.
    public let disclosures: Int
    /// The proof of the holder's key; nil if the policy requires none.
    public let keyBinding: VerifiedKeyBinding?

    init(_ token: VerifiedToken, disclosures: Int, keyBinding: VerifiedKeyBinding?) {
        self.token = token
        self.disclosures = disclosures
        self.keyBinding = keyBinding
    }

    /// The claims: what the issuer's token has in plain text, with what the holder disclosed, and without digests.
    public var claims: Claims { @_lifetime(borrow self) get { token.claims } }

    /// The header of the issuer's token.
    public var header: JOSEHeader { @_lifetime(borrow self) get { token.header } }

    /// The claims as JSON: the Processed SD-JWT Payload of RFC 9901 section 7.1. Nobody has signed this text; its parts are signed.
    public var payload: [UInt8] { token.payload }

    /// The algorithm of the issuer's signature.
    public var algorithm: SignatureAlgorithm { token.algorithm }

    /// The index, in `KeySet.keys`, of the issuer's key.
    public var keyPosition: Int { token.keyPosition }

    /// `iss`, as a `String`.
    public var issuer: String? { token.issuer }

    /// `sub`, as a `String`. An issuer may let the holder leave it out.
    public var subject: String? { token.subject }
}

extension VerifiedPresentation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of disclosures, and whether the holder proved its key. No claim is in it.
    public var description: String {
        "VerifiedPresentation(disclosures: \(disclosures), \(keyBinding == nil ? "without" : "with") key binding)"
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

/// The proof that a presentation comes from whoever has the key that the issuer named, for this verifier and this transaction
/// (RFC 9901 section 7.3). Only ``PresentationVerifier`` makes one.
public struct VerifiedKeyBinding: Hashable, Sendable {
    /// The RFC 7638 thumbprint of the holder's key (SHA-256, base64url).
    public let thumbprint: String
    /// The algorithm of the holder's signature.
    public let algorithm: SignatureAlgorithm
    /// `iat`: when the holder signed.
    public let issuedAt: NumericDate

    /// - Parameters:
    ///   - token: the key binding token, which has `iat` because the policy requires it.
    ///   - key: the key that verified it.
    init(_ token: VerifiedToken, key: VerificationKey) {
        thumbprint = key.thumbprint ?? ""
        algorithm = token.algorithm
        issuedAt = token.issuedAt ?? NumericDate(seconds: 0)
    }
}
