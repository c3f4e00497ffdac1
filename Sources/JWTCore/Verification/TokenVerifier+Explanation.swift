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
        let explanation = policy.explanation(of: error), now = now ?? clock.now, leeway = policy.leewaySeconds
        // Before the signature is verified, the token's claims mean nothing.
        guard error.code.number >= 500 else { return explanation }
        var lax = ClaimsPolicy()
        lax.algorithms = policy.algorithms
        lax.types = policy.types
        lax.requiresExpiration = false
        lax.leeway = .seconds(Int64.max)
        let verifier = TokenVerifier(keys: keys, policy: lax, limits: limits, clock: clock)
        do throws(VerificationError) {
            let found = try verifier.withVerified(token, now: now) { $0.explanation(of: error.code, now: now, leeway: leeway) }
            return found.map { "\(explanation); \($0)" } ?? explanation
        } catch {
            return explanation
        }
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
    fileprivate func explanation(of code: VerificationError.Code, now: NumericDate, leeway: Int64) -> String? {
        switch code {
        case .expired: expiration.map { "it expired \(now.wholeSeconds(since: $0)) s ago; the leeway is \(leeway) s" }
        case .notYetValid: notBefore.map { "it is valid in \($0.wholeSeconds(since: now)) s; the leeway is \(leeway) s" }
        case .issuedInFuture: issuedAt.map { "it was issued \($0.wholeSeconds(since: now)) s in the future; the leeway is \(leeway) s" }
        case .tooOld: issuedAt.map { "it was issued \(now.wholeSeconds(since: $0)) s ago; the leeway is \(leeway) s" }
        case .issuerMismatch: (issuer?.string).map { "it is from \(Self.quoted($0))" }
        case .audienceMismatch: (audience?.strings).map { "it is for \($0.prefix(8).map(Self.quoted).joined(separator: " and "))" }
        default: nil
        }
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
