public import JWTCore

/// Verifies documents in JWS JSON serialization (RFC 7515 section 7.2), flattened and general, which are no tokens. Make one for each kind
/// of document, and use it from any thread.
///
/// ```swift
/// let policy = DocumentPolicy(requirement: .all, signers: ["release", "security"], types: ["manifest+jws"])
/// let verifier = DocumentVerifier(keys: keys, policy: policy)
/// let document = try verifier.verify(text)
/// return document.payload
/// ```
public struct DocumentVerifier<Keys: KeySource>: Sendable {
    public let keys: Keys
    public let policy: DocumentPolicy
    public let limits: DocumentLimits
    private let header: ClaimsPolicy

    /// - Parameters:
    ///   - keys: the keys of those who sign. Each has to be for verifying signatures, by its `use` and `key_ops`.
    ///   - policy: what is required of a document.
    ///   - limits: of a document.
    public init(keys: Keys, policy: DocumentPolicy, limits: DocumentLimits = .standard) {
        self.keys = keys
        self.policy = policy
        self.limits = limits
        header = policy.header
    }

    /// Verifies a document that has its payload.
    ///
    /// - Parameter document: a JSON object.
    /// - Throws: why the document is refused; `payload_mismatch` if it has no payload.
    public func verify(_ document: Span<UInt8>) throws(DocumentError) -> VerifiedDocument {
        let document = try UnverifiedDocument(document, limits: limits)
        guard let written = document.payload else { throw DocumentError(.payloadMismatch) }
        let payload = try document.isUnencoded ? written : Self.decoded(written)
        return try verify(document, written: written, payload)
    }

    /// Verifies a document with a detached payload (RFC 7515 appendix F).
    ///
    /// - Parameters:
    ///   - document: a JSON object without the member `payload`.
    ///   - payload: what was signed.
    /// - Throws: why the document is refused; `payload_mismatch` if it has a payload of its own.
    public func verify(_ document: Span<UInt8>, detached payload: Span<UInt8>) throws(DocumentError) -> VerifiedDocument {
        let document = try UnverifiedDocument(document, limits: limits)
        guard document.payload == nil else { throw DocumentError(.payloadMismatch) }
        let payload = Array(copying: payload)
        return try verify(document, written: document.isUnencoded ? payload : Base64URL.encode(payload), payload)
    }

    private static func decoded(_ text: [UInt8]) throws(DocumentError) -> [UInt8] {
        do throws(VerificationError) {
            return try Base64URL.bytes(text.span)
        } catch {
            throw DocumentError(.malformedDocument, cause: error.withoutOffset)
        }
    }

    /// - Parameter written: the payload as it is signed.
    private func verify(
        _ document: UnverifiedDocument, written: [UInt8], _ payload: [UInt8]
    ) throws(DocumentError) -> VerifiedDocument {
        var tally = SignatureTally()
        do throws(VerificationError) {
            try keys.withKeys { set throws(VerificationError) in
                // One set for all signatures, also where the source has another one meanwhile.
                let verifier = TokenVerifier(keys: set, policy: header, limits: limits.token)
                for signature in document.signatures {
                    tally.add(signature, outcome(signature, written, verifier, set))
                }
            }
        } catch {
            throw DocumentError(.signatureRefused, cause: error)
        }
        try tally.check(policy)
        return VerifiedDocument(payload: payload, signatures: tally.held, refusals: tally.refusals)
    }

    private func outcome(
        _ signature: UnverifiedSignature, _ written: [UInt8], _ verifier: TokenVerifier<KeySet>, _ set: KeySet
    ) -> Result<(algorithm: SignatureAlgorithm, key: VerificationKey), VerificationError> {
        do throws(VerificationError) {
            try checkProtection(signature)
            let message = signature.protected + [UInt8(ascii: ".")] + written
            let found = try verifier.verifySignature(
                header: signature.header.span, message: message.span, signature: signature.signature.span)
            return .success((found.algorithm, set.keys[found.keyPosition]))
        } catch {
            // Another source than a set may fetch the key.
            guard error.code == .unknownKey, let keyID = signature.keyID else { return .failure(error) }
            return .failure(keys.refusal(ofUnknown: keyID, in: set))
        }
    }

    private func checkProtection(_ signature: UnverifiedSignature) throws(VerificationError) {
        if !policy.allowsUnprotectedAlgorithm, signature.hasUnprotected("alg") {
            throw VerificationError(.algorithmNotAllowed, because: "alg is in the unprotected header, where everybody can change it")
        }
        if policy.types != nil, signature.hasUnprotected("typ") {
            throw VerificationError(.typeMismatch, because: "typ is in the unprotected header, where everybody can change it")
        }
    }
}

extension DocumentVerifier {
    /// Verifies a document in a `String`.
    public func verify(_ document: String) throws(DocumentError) -> VerifiedDocument { try verify(document.utf8.span) }

    /// Verifies a document in an array of bytes.
    public func verify(_ document: [UInt8]) throws(DocumentError) -> VerifiedDocument { try verify(document.span) }

    /// Verifies a document in a `String`, with a detached payload.
    public func verify(_ document: String, detached payload: [UInt8]) throws(DocumentError) -> VerifiedDocument {
        try verify(document.utf8.span, detached: payload.span)
    }

    /// Verifies a document in an array of bytes, with a detached payload.
    public func verify(_ document: [UInt8], detached payload: [UInt8]) throws(DocumentError) -> VerifiedDocument {
        try verify(document.span, detached: payload.span)
    }
}
