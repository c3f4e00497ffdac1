public import JWTCore

/// Verifies presentations of SD-JWTs (RFC 9901), with or without key binding. Make one for the issuers whose keys `keys` has, and use it
/// from any thread.
///
/// ```swift
/// let binding = KeyBindingPolicy(audience: "https://verifier.example")
/// let policy = PresentationPolicy(claims: credential, keyBinding: .required(binding))
/// let verifier = PresentationVerifier(keys: keys, policy: policy)
/// let presentation = try verifier.expecting(nonce: nonce).verify(text)
/// ```
public struct PresentationVerifier<Keys: KeySource>: Sendable {
    /// What is required of a presentation.
    public private(set) var policy: PresentationPolicy
    public let limits: PresentationLimits
    private let verifier: TokenVerifier<Keys>
    private let plainNames: Set<[UInt8]>
    private let wholeNames: Set<[UInt8]>
    private let clock: any UnixClock

    /// - Parameters:
    ///   - keys: the issuers' keys. The holder's key comes from the issuer's token.
    ///   - policy: what is required of a presentation.
    ///   - limits: of a presentation.
    ///   - clock: for presentations that come without a time.
    public init(
        keys: Keys, policy: PresentationPolicy, limits: PresentationLimits = .standard, clock: any UnixClock = SystemClock()
    ) {
        self.policy = policy
        self.limits = limits
        self.clock = clock
        verifier = TokenVerifier(keys: keys, policy: policy.judgedClaims, limits: limits.token, clock: clock)
        plainNames = policy.plainNames
        wholeNames = policy.wholeNames
    }

    /// A verifier for one transaction: the key binding token's `nonce` must be the one that the request had.
    ///
    /// - Parameter nonce: the nonce of this transaction. It is not optional, and no token fits an empty one, so that a lost session cannot
    ///   skip the check. A verifier that requires no key binding is unchanged.
    public func expecting(nonce: String) -> Self {
        guard case .required(var binding) = policy.keyBinding else { return self }
        binding.nonce = nonce
        var verifier = self
        verifier.policy.keyBinding = .required(binding)
        return verifier
    }

    /// Verifies a presentation, and puts its claims together.
    ///
    /// - Parameters:
    ///   - presentation: the compact serialization, without white space around it: `token~disclosure~…~`, or the same and a key binding
    ///     token.
    ///   - now: the time to judge for; nil reads the clock.
    /// - Throws: why the presentation is refused.
    public func verify(_ presentation: Span<UInt8>, now: NumericDate? = nil) throws(PresentationError) -> VerifiedPresentation {
        let now = now ?? clock.now
        let parts = try PresentationParts(presentation, limits: limits)
        try policy.checkPresence(ofKeyBinding: !parts.keyBinding.isEmpty)
        let disclosures = try parts.disclosures(limits)
        let object = try issuerToken(parts.token)
        let digest = try policy.digest(of: object.payload)
        var assembly = try ClaimsAssembly(
            disclosures, digest, plain: plainNames, whole: wholeNames, depth: limits.token.depth)
        let token = try judge(object, claims: try assembly.text(from: object.payload), now)
        return VerifiedPresentation(
            token, disclosures: disclosures.count, keyBinding: try keyBinding(of: parts, boundBy: token.claims, digest, now))
    }

    private func issuerToken(_ token: Span<UInt8>) throws(PresentationError) -> SignedObject {
        do throws(VerificationError) {
            return try verifier.verifyObject(token)
        } catch {
            throw PresentationError(.issuerTokenRefused, cause: error)
        }
    }

    private func judge(_ object: SignedObject, claims: [UInt8], _ now: NumericDate) throws(PresentationError) -> VerifiedToken {
        do throws(VerificationError) {
            return try verifier.judge(object, claims: claims, now: now)
        } catch {
            throw PresentationError(.issuerTokenRefused, cause: error)
        }
    }

    private func keyBinding(
        of parts: PresentationParts, boundBy claims: borrowing Claims, _ digest: DisclosureDigest, _ now: NumericDate
    ) throws(PresentationError) -> VerifiedKeyBinding? {
        guard case .required(let binding) = policy.keyBinding else { return nil }
        let verification = KeyBindingVerification(policy: binding, limits: limits.token, now: now)
        return try verification.verify(parts, boundBy: claims, digest)
    }

    /// Verifies a presentation in a `String`.
    public func verify(_ presentation: String, now: NumericDate? = nil) throws(PresentationError) -> VerifiedPresentation {
        try verify(presentation.utf8.span, now: now)
    }

    /// Verifies a presentation in an array of bytes.
    public func verify(_ presentation: [UInt8], now: NumericDate? = nil) throws(PresentationError) -> VerifiedPresentation {
        try verify(presentation.span, now: now)
    }
}
