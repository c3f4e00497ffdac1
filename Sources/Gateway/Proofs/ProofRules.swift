internal import DPoP
internal import JWKSCache
internal import JWTCore
internal import ReplayMemory

/// A provider's terms for DPoP proofs, prepared for decisions.
final class ProofRules: Sendable {
    private let verifier: ProofVerifier
    private let needsBinding: Bool
    private let scheme: [UInt8]
    /// Empty where the request's own counts.
    private let authority: [UInt8]
    private let horizon: ProofHorizon
    /// Whether a proof from before the memory's start has a nonce that is not known any more.
    private let endsWithProcess: Bool

    /// - Parameter horizon: of the memory of uses.
    init(_ terms: ProofTerms, _ horizon: ProofHorizon) {
        horizon.extend(to: terms.seconds)
        self.horizon = horizon
        endsWithProcess = terms.policy.nonces?.areOfProcess ?? false
        verifier = ProofVerifier(policy: terms.policy, limits: terms.limits, keys: Self.keys)
        needsBinding = terms.tokens == .bound
        let origin = terms.origin.flatMap { URLText($0) }
        scheme = Array((origin?.scheme ?? "https").utf8)
        authority = origin.map { Array(($0.host + ($0.port.map { ":\($0)" } ?? "")).utf8) } ?? []
    }

    /// The keys of clients that came back, of this process. A client has one key for many resources.
    private static let keys = ProofKeys()

    var nonces: ProofNonces? { verifier.policy.nonces }

    /// Verifies that the sender of a token has its key.
    ///
    /// - Parameters:
    ///   - claims: of the token, which was verified.
    ///   - token: as it was sent.
    ///   - request: that it came with.
    ///   - isOfScheme: whether it came behind the scheme `DPoP`.
    ///   - now: the time to judge for.
    /// - Returns: the use of the proof; nil for a bearer token.
    /// - Throws: why the proof or the token is refused.
    func use(
        _ claims: borrowing Claims, of token: Span<UInt8>, _ request: RequestView, isOfScheme: Bool, now: NumericDate
    ) throws(VerificationError) -> TokenUse? {
        guard let thumbprint = try claims.confirmation.keyThumbprint else {
            guard !isOfScheme, !needsBinding else { throw VerificationError(.unboundToken) }
            return nil
        }
        // RFC 9449 section 7.2: a token that is bound to a key is none for bearers.
        guard isOfScheme else { throw VerificationError(.boundTokenWithoutProof) }
        let proof = try verify(token, thumbprint, request, now)
        guard endsWithProcess || proof.issuedAt >= horizon.start else { throw VerificationError(.proofTooOld, claim: .issuedAt) }
        return TokenUse(of: proof, horizon.seconds)
    }

    private func verify(
        _ token: Span<UInt8>, _ thumbprint: KeyThumbprint, _ request: RequestView, _ now: NumericDate
    ) throws(VerificationError) -> VerifiedProof {
        let scheme = scheme, authority = authority
        if !authority.isEmpty { return try verify(token, thumbprint, request, scheme.span, authority.span, now) }
        if request.scheme.isEmpty { return try verify(token, thumbprint, request, scheme.span, request.authority, now) }
        return try verify(token, thumbprint, request, request.scheme, request.authority, now)
    }

    private func verify(
        _ token: Span<UInt8>, _ thumbprint: KeyThumbprint, _ request: RequestView, _ scheme: Span<UInt8>, _ authority: Span<UInt8>,
        _ now: NumericDate
    ) throws(VerificationError) -> VerifiedProof {
        let field = try Self.field(of: request), value = request.fieldValue(field)
        let facts = ProofRequest(
            method: request.method, scheme: scheme, authority: authority, target: request.target, accessToken: token, boundTo: thumbprint)
        return try verifier.verify(value.extracting(value.trimmed(value.indices)), for: facts, now: now)
    }

    private static let name = Array("dpop".utf8)

    /// The only field `DPoP`. A comma joins several fields to one (RFC 9110 section 5.3), and no proof has one.
    private static func field(of request: RequestView) throws(VerificationError) -> Int {
        var found: Int?
        for place in 0..<request.fieldCount where request.isField(place, name) {
            guard found == nil else { throw VerificationError(.severalProofs) }
            found = place
        }
        guard let found else { throw VerificationError(.missingProof) }
        let value = request.fieldValue(found)
        guard value.first(UInt8(ascii: ","), in: value.indices) == nil else { throw VerificationError(.severalProofs) }
        return found
    }
}

extension TokenUse {
    /// A proof passes once for the key that made it, whatever its request (RFC 9449 section 11.1).
    fileprivate init(of proof: VerifiedProof, _ seconds: Int64) {
        identifier = proof.identifier
        end = proof.issuedAt.advanced(bySeconds: seconds)
        replay = .token(VerificationError(.replayedProof))
        nextNonce = proof.nextNonce
    }
}
