public import JWTCore

/// The requirements for a presentation. Make one for each kind of credential.
public struct PresentationPolicy: Sendable {
    /// What the claims must fulfil once the disclosures are put in (RFC 9901 section 7.1 step 6). Set `ClaimsPolicy.types` to those of the
    /// credential, such as `dc+sd-jwt`: then no other token of the issuer is taken for one (section 9.11).
    public var claims: ClaimsPolicy
    /// Whether the holder has to prove its key. The presentation never decides that (RFC 9901 section 7.3 step 1).
    public var keyBinding: KeyBinding
    /// The digests that `_sd_alg` may name. A token without it has SHA-256.
    public var digests: Set<DisclosureDigest> = [.sha256]
    /// Claims at the top level that no disclosure may bring, beside those of ``alwaysPlain``. The default is what SD-JWT VC adds.
    public var plainClaims = ["vct", "vct#integrity"]

    /// Whether and how the holder proves its key.
    public enum KeyBinding: Sendable {
        /// A presentation with a key binding token is refused: nobody would have verified it.
        case absent
        /// A presentation without a key binding token is refused.
        case required(KeyBindingPolicy)
    }

    /// The claims at the top level that decide whether a token is valid (RFC 9901 section 9.7, and `status`). No disclosure may bring one:
    /// what a holder can leave out cannot bind it. Single elements of `aud` may be disclosed.
    public static let alwaysPlain = ["iss", "aud", "exp", "nbf", "cnf", "status"]

    /// The claims at the top level that have no digest within: a holder would leave out the place of its status, or part of its key.
    public static let alwaysWhole = ["cnf", "status"]

    /// - Parameters:
    ///   - claims: what the claims must fulfil.
    ///   - keyBinding: whether the holder has to prove its key.
    public init(claims: ClaimsPolicy, keyBinding: KeyBinding) {
        self.claims = claims
        self.keyBinding = keyBinding
    }
}

extension PresentationPolicy {
    /// The names that no disclosure at the top level may have, in UTF-8.
    var plainNames: Set<[UInt8]> { Set((Self.alwaysPlain + plainClaims).map { Array($0.utf8) }) }

    /// The names at the top level whose values have no digest within, in UTF-8. A hidden audience is one that nobody can trust.
    var wholeNames: Set<[UInt8]> {
        Set((Self.alwaysWhole + (claims.requiresTrustedAudiences ? ["aud"] : [])).map { Array($0.utf8) })
    }

    /// ``claims``, with `jti` required if some are revoked: a holder would leave it out.
    var judgedClaims: ClaimsPolicy {
        guard !claims.revokedTokenIDs.isEmpty else { return claims }
        var judged = claims
        judged.requiredClaims.append("jti")
        return judged
    }

    /// The digest of a token's disclosures (RFC 9901 section 4.1.1).
    ///
    /// - Throws: `unsupported_digest`.
    func digest(of payload: borrowing JSONValue) throws(PresentationError) -> DisclosureDigest {
        guard let algorithm = payload["_sd_alg"] else { return try allowed(.sha256) }
        guard let name = algorithm.string, let digest = DisclosureDigest(name) else { throw PresentationError(.unsupportedDigest) }
        return try allowed(digest)
    }

    private func allowed(_ digest: DisclosureDigest) throws(PresentationError) -> DisclosureDigest {
        guard digests.contains(digest) else { throw PresentationError(.unsupportedDigest) }
        return digest
    }

    /// Checks that a key binding token is there if and only if it is required. Needs no key.
    ///
    /// - Throws: `missing_key_binding`, `unexpected_key_binding`.
    func checkPresence(ofKeyBinding isPresent: Bool) throws(PresentationError) {
        switch (keyBinding, isPresent) {
        case (.absent, true): throw PresentationError(.unexpectedKeyBinding)
        case (.required, false): throw PresentationError(.missingKeyBinding)
        case (.absent, false), (.required, true): return
        }
    }
}
