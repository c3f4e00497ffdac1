extension TokenVerifier {
    /// Explains to a developer why `token` was refused: ``ClaimsPolicy/explanation(of:)``, and what the token says instead if its signature
    /// is valid, such as the seconds since its expiry or its issuer. Verifies the signature once more, and allocates.
    ///
    /// The text may contain the token's `iss` and `aud`. It is for the program's own logs, not for a reply to the sender.
    ///
    /// - Parameters:
    ///   - error: the error of a verification by this verifier.
    ///   - token: the refused token.
    ///   - now: the time that it was judged for; nil reads the clock.
    public func explanation(of error: VerificationError, token: Span<UInt8>, now: NumericDate? = nil) -> String {
        let explanation = policy.explanation(of: error)
        guard let found = finding(error, token, now ?? clock.now) else { return explanation }
        return "\(explanation); \(found)"
    }

    private func finding(_ error: VerificationError, _ token: Span<UInt8>, _ now: NumericDate) -> String? {
        // Before the signature is verified, the token's claims mean nothing, but the wrapping of the whole text may be told.
        guard error.code.number >= 500 else { return TokenWrapping(of: token)?.sentence }
        do throws(VerificationError) {
            guard error.code != .invalidClaim else { return try misfit(of: error.claim, token, now) }
            return try lax.withVerified(token, now: now) { $0.explanation(of: error.code, policy, now: now) }
        } catch {
            return nil
        }
    }

    /// A verifier of the signature alone, with the same keys.
    private var lax: Self {
        var lax = ClaimsPolicy()
        lax.algorithms = policy.algorithms
        lax.types = policy.types
        lax.requiresExpiration = false
        lax.leeway = .seconds(Int64.max)
        return TokenVerifier(keys: keys, policy: lax, limits: limits, clock: clock)
    }

    /// What is wrong with the value of `claim`. Its type is wrong, so the claims cannot be read as such.
    private func misfit(of claim: RegisteredClaim?, _ token: Span<UInt8>, _ now: NumericDate) throws(VerificationError) -> String? {
        guard let claim else { return nil }
        try withVerifiedPayload(token) { _, _ in }
        let claims = try UnverifiedClaims(reading: token, limits: limits)
        guard let value = claims.value[claim.name] else { return nil }
        return ClaimMisfit(claim, value)?.sentence(now: now)
    }

    /// Explains why a token in a `String` was refused.
    public func explanation(of error: VerificationError, token: String, now: NumericDate? = nil) -> String {
        explanation(of: error, token: token.utf8.span, now: now)
    }

    /// Explains why a token in an array of bytes was refused.
    public func explanation(of error: VerificationError, token: [UInt8], now: NumericDate? = nil) -> String {
        explanation(of: error, token: token.span, now: now)
    }
}

extension Claims {
    /// What a token with a valid signature says that the policy refuses with `code`; nil if it may not be told or is not known.
    fileprivate func explanation(of code: VerificationError.Code, _ policy: ClaimsPolicy, now: NumericDate) -> String? {
        let leeway = policy.leewaySeconds
        return switch code {
        case .expired: expiration.map { "it expired \(now.wholeSeconds(since: $0)) s ago; the leeway is \(leeway) s" }
        case .notYetValid: notBefore.map { "it is valid in \($0.wholeSeconds(since: now)) s; the leeway is \(leeway) s" }
        case .issuedInFuture: issuedAt.map { "it was issued \($0.wholeSeconds(since: now)) s in the future; the leeway is \(leeway) s" }
        case .tooOld: issuedAt.map { "it was issued \(now.wholeSeconds(since: $0)) s ago; the leeway is \(leeway) s" }
        case .issuerMismatch: (issuer?.string).map { "it is from \(Self.quoted($0))" + Self.nearness($0, policy.issuers) }
        case .audienceMismatch:
            (audience?.strings).map { "it is for \($0.prefix(8).map(Self.quoted).joined(separator: " and "))" + party(in: policy) }
        default: nil
        }
    }

    /// Issuers are compared byte for byte (RFC 7519 section 4.1.1), and people overlook a slash.
    private static func nearness(_ issuer: String, _ expected: [String]) -> String {
        let isNear = expected.contains { $0.isExactly(issuer + "/") || issuer.isExactly($0 + "/") }
        return isNear ? ", which differs only by the slash at its end" : ""
    }

    /// Some issuers name the client in `azp` alone.
    private func party(in policy: ClaimsPolicy) -> String {
        guard let party = self[.authorizedParty]?.string?.string, policy.audiences.contains(where: party.isExactly) else { return "" }
        return "; its azp names \(Self.quoted(party)), which is not its audience"
    }

    /// At most 200 scalars, in quotes, with control characters escaped, so that no text can end the line of a log.
    private static func quoted(_ text: String) -> String {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: text.unicodeScalars.prefix(200))
        return String(reflecting: String(start))
    }
}

extension NumericDate {
    /// Whole seconds since `earlier`, cut off towards the past, within the range of the type.
    fileprivate func wholeSeconds(since earlier: NumericDate) -> Int64 {
        let (difference, overflow) = seconds.subtractingReportingOverflow(earlier.seconds)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return difference - (nanoseconds < earlier.nanoseconds && difference > .min ? 1 : 0)
    }
}
