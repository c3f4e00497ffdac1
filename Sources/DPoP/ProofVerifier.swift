public import JWTCore

/// Verifies DPoP proofs (RFC 9449 section 4.3). Make one once and use it from any thread.
///
/// ```swift
/// let proofs = ProofVerifier()
/// let token = try verifier.verify(accessToken)
/// guard case .keyThumbprint(let key) = try token.claims.confirmation else { return refuse() }
/// let proof = try proofs.verify(field, method: "GET", url: url, accessToken: accessToken, boundTo: key)
/// ```
///
/// Everything that needs no cryptography is judged before the signature: the sender of a proof chose its key and knows its claims, so the
/// order tells it nothing. A verified proof still has to be used once: see ``VerifiedProof``.
public struct ProofVerifier: Sendable {
    public let policy: ProofPolicy
    public let limits: ProofLimits
    private let keys: ProofKeys
    let clock: any UnixClock
    private let tokenLimits: TokenLimits
    private let allowed: AlgorithmSet
    private let maximumAge: Int64
    private let leeway: Int64

    /// - Parameters:
    ///   - policy: what is asked of proofs.
    ///   - limits: of a proof.
    ///   - keys: the keys of clients that came back. Verifiers may share one memory.
    ///   - clock: for proofs that come without a time.
    public init(
        policy: ProofPolicy = ProofPolicy(), limits: ProofLimits = ProofLimits(), keys: ProofKeys = ProofKeys(),
        clock: any UnixClock = SystemClock()
    ) {
        self.policy = policy
        self.limits = limits
        self.keys = keys
        self.clock = clock
        tokenLimits = limits.token
        allowed = policy.proofAlgorithms
        maximumAge = max(0, policy.maximumAge.components.seconds)
        leeway = max(0, policy.leeway.components.seconds)
    }

    /// Verifies a proof for a request.
    ///
    /// - Parameters:
    ///   - proof: the value of the only field `DPoP`, without white space around it.
    ///   - request: the request that it came with.
    ///   - now: the time to judge for; nil reads the clock.
    /// - Returns: the proof, which the caller has to use once.
    /// - Throws: the codes from `proof_too_large` to `proof_signature_invalid`; `proof_too_large` also if memory is exhausted.
    public func verify(
        _ proof: Span<UInt8>, for request: ProofRequest, now: NumericDate? = nil
    ) throws(VerificationError) -> VerifiedProof {
        let now = now ?? clock.now
        do throws(VerificationError) {
            return try SelfSignedToken.read(proof, limits: tokenLimits) { token throws(VerificationError) in
                try verify(token, request, now)
            }
        } catch {
            throw error.ofProof
        }
    }

    /// Verifies a proof in a `String` for a request with an access token.
    ///
    /// - Parameters:
    ///   - proof: the value of the only field `DPoP`.
    ///   - method: of the request, with its case.
    ///   - url: of the request, as the server knows it. Query and fragment are not looked at.
    ///   - accessToken: the token as it was sent.
    ///   - thumbprint: the key that the verified token names (`Claims.confirmation`).
    ///   - now: the time to judge for; nil reads the clock.
    /// - Returns: the proof, which the caller has to use once.
    /// - Throws: as ``verify(_:for:now:)``.
    public func verify(
        _ proof: String, method: String, url: String, accessToken: String, boundTo thumbprint: KeyThumbprint, now: NumericDate? = nil
    ) throws(VerificationError) -> VerifiedProof {
        let url = url.utf8.span, place = URLPlaces(url)
        let request = ProofRequest(
            method: method.utf8.span, scheme: url.extracting(place.scheme), authority: url.extracting(place.authority),
            target: url.extracting(place.target), accessToken: accessToken.utf8.span, boundTo: thumbprint)
        return try verify(proof.utf8.span, for: request, now: now)
    }

    /// Verifies a proof in a `String` for a request without an access token, such as one to a token endpoint.
    ///
    /// - Parameters:
    ///   - proof: the value of the only field `DPoP`.
    ///   - method: of the request, with its case.
    ///   - url: of the request, as the server knows it. Query and fragment are not looked at.
    ///   - now: the time to judge for; nil reads the clock.
    /// - Returns: the proof, which the caller has to use once.
    /// - Throws: as ``verify(_:for:now:)``.
    public func verify(
        _ proof: String, method: String, url: String, now: NumericDate? = nil
    ) throws(VerificationError) -> VerifiedProof {
        let url = url.utf8.span, place = URLPlaces(url)
        let request = ProofRequest(
            method: method.utf8.span, scheme: url.extracting(place.scheme), authority: url.extracting(place.authority),
            target: url.extracting(place.target))
        return try verify(proof.utf8.span, for: request, now: now)
    }

    private func verify(
        _ token: borrowing SelfSignedToken, _ request: ProofRequest, _ now: NumericDate
    ) throws(VerificationError) -> VerifiedProof {
        let claims = try check(token, request, now)
        let jwk = try Self.jwk(of: token)
        if let binding = request.binding, let key = recognised(jwk, binding.thumbprint, token) {
            try verifySignature(of: token, by: key)
            return claims.verified(by: binding.thumbprint)
        }
        return claims.verified(by: try verifySignature(of: token, by: EmbeddedKey(jwk), boundTo: request.binding?.thumbprint))
    }

    /// Verifies a proof, up to the signature where that can wait for others: where the key is kept.
    ///
    /// - Throws: as ``verify(_:for:now:)``.
    func begin(
        _ proof: Span<UInt8>, _ request: ProofRequest, _ now: NumericDate, _ deferred: inout DeferredSignatures
    ) throws(VerificationError) -> BegunProof {
        do throws(VerificationError) {
            return try SelfSignedToken.read(proof, limits: tokenLimits) { token throws(VerificationError) in
                let claims = try check(token, request, now), jwk = try Self.jwk(of: token)
                guard let binding = request.binding, let key = recognised(jwk, binding.thumbprint, token) else {
                    let key = try verifySignature(of: token, by: EmbeddedKey(jwk), boundTo: request.binding?.thumbprint)
                    return .verified(claims.verified(by: key))
                }
                let place = deferred.append(token.header.algorithm, key: key, message: token.message, signature: token.signature)
                return .deferred(place, claims, binding.thumbprint)
            }
        } catch {
            throw error.ofProof
        }
    }

    /// Everything that needs no key.
    private func check(
        _ token: borrowing SelfSignedToken, _ request: ProofRequest, _ now: NumericDate
    ) throws(VerificationError) -> CheckedProof {
        guard let type = token.header.type, type == "dpop+jwt" as StaticString else { throw VerificationError(.proofTypeMismatch) }
        guard allowed.contains(token.header.algorithm) else { throw VerificationError(.proofAlgorithmNotAllowed) }
        let claims = ProofClaims(token.payload)
        try claims.check(request, limits)
        let issuedAt = try claims.issuedAt(now, maximumAge: maximumAge, leeway: leeway)
        let nextNonce = if let nonces = policy.nonces { try claims.checkNonce(nonces, limits, now) } else { String?.none }
        if let binding = request.binding { try claims.checkToken(binding.token) }
        return CheckedProof(
            algorithm: token.header.algorithm, issuedAt: issuedAt,
            end: issuedAt.advanced(bySeconds: maximumAge).advanced(bySeconds: leeway), tokenID: claims.tokenID, nextNonce: nextNonce)
    }

    @_lifetime(copy token)
    private static func jwk(of token: borrowing SelfSignedToken) throws(VerificationError) -> JSONValue {
        guard let jwk = token.header.value["jwk"] else { throw VerificationError(.invalidProofKey, because: "the header has no jwk") }
        return jwk
    }

    /// The key with this thumbprint, if it is kept and the proof has it as it was written before.
    private func recognised(_ jwk: JSONValue, _ thumbprint: KeyThumbprint, _ token: borrowing SelfSignedToken) -> VerificationKey? {
        guard let key = keys.kept(thumbprint, writtenAs: jwk.raw), key.algorithms.contains(token.header.algorithm) else { return nil }
        return key
    }

    /// - Returns: the thumbprint of the key that verified it.
    private func verifySignature(
        of token: borrowing SelfSignedToken, by embedded: borrowing EmbeddedKey, boundTo expected: KeyThumbprint?
    ) throws(VerificationError) -> KeyThumbprint {
        guard embedded.fits(token.header.algorithm) else {
            throw VerificationError(.invalidProofKey, because: "the key does not fit the algorithm of the proof")
        }
        guard let thumbprint = embedded.thumbprint else { throw VerificationError(.proofTooLarge) }
        if let expected, expected != thumbprint { throw VerificationError(.proofKeyMismatch) }
        let kept = keys.kept(thumbprint)
        let key = if let kept { kept } else { try embedded.key(preparedIn: nil) }
        try verifySignature(of: token, by: key)
        if kept == nil { keys.note(thumbprint, embedded) }
        return thumbprint
    }

    private func verifySignature(of token: borrowing SelfSignedToken, by key: VerificationKey) throws(VerificationError) {
        guard SignatureEngine.verify(token.header.algorithm, key: key, message: token.message, signature: token.signature) else {
            throw VerificationError(.proofSignatureInvalid)
        }
    }
}

/// The parts of a URL that has been asked for, by their places. What is no URL gives parts that no proof is for.
struct URLPlaces {
    var scheme = 0..<0
    var authority = 0..<0
    var target = 0..<0

    init(_ url: Span<UInt8>) {
        var colon = 0
        while colon < url.count, url[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon + 2 < url.count, url[colon + 1] == UInt8(ascii: "/"), url[colon + 2] == UInt8(ascii: "/") else { return }
        var end = colon + 3
        while end < url.count, !"/?#".utf8.contains(url[end]) { end += 1 }
        scheme = 0..<colon
        authority = colon + 3..<end
        target = end..<url.count
    }
}

extension ProofVerifier: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its algorithms. No nonce and no key is in it.
    public var description: String { "ProofVerifier(\(allowed.algorithms.map(\.name).joined(separator: " ")))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
