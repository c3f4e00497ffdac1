internal import JWTCore

/// The claims of a proof (RFC 9449 section 4.2), before its signature.
struct ProofClaims: ~Escapable {
    private let payload: JSONValue

    @_lifetime(copy payload)
    init(_ payload: JSONValue) { self.payload = payload }

    /// Checks `jti`, `htm` and `htu`.
    ///
    /// - Throws: `missing_proof_claim`, `invalid_proof_claim`, `proof_too_large`, `proof_method_mismatch`, `proof_url_mismatch`.
    func check(_ request: ProofRequest, _ limits: ProofLimits) throws(VerificationError) {
        let tokenID = try text("jti", claim: .tokenID)
        guard !tokenID.raw.isEmpty else { throw VerificationError(.invalidProofClaim, claim: .tokenID) }
        guard tokenID.raw.count <= limits.tokenIDBytes else { throw VerificationError(.proofTooLarge, claim: .tokenID) }
        let method = try text("htm")
        guard !request.method.isEmpty, method.equals(request.method) else { throw VerificationError(.proofMethodMismatch) }
        let url = try text("htu")
        guard request.isFor(url) else { throw VerificationError(.proofURLMismatch) }
    }

    /// Checks `iat`, and `exp` and `nbf` where a proof has them.
    ///
    /// - Returns: `iat`.
    /// - Throws: `missing_proof_claim`, `invalid_proof_claim`, `proof_too_old`, `proof_issued_in_future`.
    func issuedAt(_ now: NumericDate, maximumAge: Int64, leeway: Int64) throws(VerificationError) -> NumericDate {
        guard let issuedAt = try date("iat", .issuedAt) else { throw VerificationError(.missingProofClaim, claim: .issuedAt) }
        guard now < issuedAt.advanced(bySeconds: maximumAge).advanced(bySeconds: leeway) else {
            throw VerificationError(.proofTooOld, claim: .issuedAt)
        }
        guard issuedAt <= now.advanced(bySeconds: leeway) else { throw VerificationError(.proofIssuedInFuture, claim: .issuedAt) }
        if let expiration = try date("exp", .expiration), now >= expiration.advanced(bySeconds: leeway) {
            throw VerificationError(.proofTooOld, claim: .expiration)
        }
        if let notBefore = try date("nbf", .notBefore), notBefore > now.advanced(bySeconds: leeway) {
            throw VerificationError(.proofIssuedInFuture, claim: .notBefore)
        }
        return issuedAt
    }

    private func date(_ name: String, _ claim: RegisteredClaim) throws(VerificationError) -> NumericDate? {
        guard let value = payload[name] else { return nil }
        guard let date = value.date else { throw VerificationError(.invalidProofClaim, claim: claim) }
        return date
    }

    /// - Returns: the nonce that the next proof needs, if it is another one.
    /// - Throws: `missing_proof_nonce`, `invalid_proof_claim`, `proof_too_large`, `proof_nonce_mismatch`.
    func checkNonce(_ nonces: ProofNonces, _ limits: ProofLimits, _ now: NumericDate) throws(VerificationError) -> String? {
        guard let value = payload["nonce"] else { throw VerificationError(.missingProofNonce, claim: .nonce) }
        guard let nonce = value.string else { throw VerificationError(.invalidProofClaim, claim: .nonce) }
        guard nonce.raw.count <= limits.nonceBytes else { throw VerificationError(.proofTooLarge, claim: .nonce) }
        // No nonce of ours needs an escape.
        guard !nonce.isEscaped, nonces.accepts(nonce.raw, at: now) else { throw VerificationError(.proofNonceMismatch, claim: .nonce) }
        return nonces.successor(of: nonce.raw, at: now)
    }

    /// Checks `ath`, the hash of the access token.
    ///
    /// - Throws: `missing_proof_claim`, `invalid_proof_claim`, `proof_token_mismatch`.
    func checkToken(_ token: Span<UInt8>) throws(VerificationError) {
        let hash = try text("ath")
        // Both are 32 bytes in strict base64url, as a thumbprint is.
        guard let stated = KeyThumbprint(base64URL: hash), let digest = KeyThumbprint(hashing: token), stated == digest
        else {
            throw VerificationError(.proofTokenMismatch)
        }
    }

    /// `jti`, after ``check(_:_:)``.
    var tokenID: [UInt8] { payload["jti"]?.string?.utf8 ?? [] }

    @_lifetime(copy self)
    private func text(_ name: String, claim: RegisteredClaim? = nil) throws(VerificationError) -> JSONString {
        guard let value = payload[name] else { throw VerificationError(.missingProofClaim, claim: claim) }
        guard let text = value.string else { throw VerificationError(.invalidProofClaim, claim: claim) }
        return text
    }
}
