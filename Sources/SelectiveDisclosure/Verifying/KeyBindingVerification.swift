internal import JWTCore

/// The verification of the holder's key binding token (RFC 9901 section 7.3 step 5).
struct KeyBindingVerification {
    let policy: KeyBindingPolicy
    let limits: TokenLimits
    let now: NumericDate

    /// - Parameters:
    ///   - claims: of the issuer's token, verified.
    ///   - digest: of the disclosures.
    /// - Throws: `missing_confirmation`, `unusable_confirmation`, `key_binding_refused`, `presentation_mismatch`.
    func verify(
        _ parts: PresentationParts, boundBy claims: borrowing Claims, _ digest: DisclosureDigest
    ) throws(PresentationError) -> VerifiedKeyBinding {
        let keys = try Self.holderKeys(claims)
        let token = try token(of: parts, keys)
        let stated = try digest.text(of: parts.presented)
        guard token.claims["sd_hash"]?.string?.equals(stated) ?? false else { throw PresentationError(.presentationMismatch) }
        return VerifiedKeyBinding(token, key: keys.keys[token.keyPosition])
    }

    /// The key in `cnf` (RFC 7800 section 3.2), and no other.
    private static func holderKeys(_ claims: borrowing Claims) throws(PresentationError) -> KeySet {
        guard let confirmation = claims["cnf"] else { throw PresentationError(.missingConfirmation) }
        guard let jwk = confirmation["jwk"], jwk.isObject else { throw PresentationError(.unusableConfirmation) }
        let keys: KeySet
        do throws(VerificationError) { keys = try KeySet(senderJWK: jwk.raw) } catch {
            throw PresentationError(.unusableConfirmation, cause: error.withoutOffset)
        }
        for key in keys.keys {
            if let reason = key.unusableReason { throw PresentationError(.unusableConfirmation, cause: VerificationError(reason)) }
            // Everybody who has seen a private key in a token can sign with it. A shared key is as little the holder's own.
            guard !key.advisories.contains(.privateMaterial), key.type != .oct else { throw PresentationError(.unusableConfirmation) }
        }
        return keys
    }

    private func token(of parts: PresentationParts, _ keys: KeySet) throws(PresentationError) -> VerifiedToken {
        do throws(VerificationError) {
            let token = try TokenVerifier(keys: keys, policy: policy.claims, limits: limits).verify(parts.keyBinding, now: now)
            // The audience is compared by the policy; section 4.3 wants it to be one string.
            guard token.claims.audience?.string != nil else { throw VerificationError(.invalidClaim, claim: .audience) }
            guard !policy.audience.isEmpty else { throw VerificationError(.audienceMismatch, claim: .audience) }
            return token
        } catch {
            throw PresentationError(.keyBindingRefused, cause: error.shifted(by: parts.keyBindingOffset))
        }
    }
}
