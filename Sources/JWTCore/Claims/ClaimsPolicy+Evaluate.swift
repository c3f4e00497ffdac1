extension ClaimsPolicy {
    /// Checks the rules that depend only on the header: the algorithm and the type.
    ///
    /// - Throws: `algorithm_not_allowed`, `type_mismatch`.
    @inline(__always)
    func evaluate(_ header: borrowing JOSEHeader) throws(VerificationError) {
        guard algorithms.contains(header.algorithm) else { throw Self.notAllowed(header.algorithm) }
        guard let mediaTypes else { return }
        let fits = if let type = header.type { mediaTypes.contains(type) } else { mediaTypes.allowAbsence }
        guard fits else { throw VerificationError(.typeMismatch) }
    }

    private static func notAllowed(_ algorithm: SignatureAlgorithm) -> VerificationError {
        guard algorithm.isSymmetric else { return VerificationError(.algorithmNotAllowed) }
        return VerificationError(.algorithmNotAllowed, because: "HMAC is refused unless ClaimsPolicy.algorithms names it")
    }

    /// Checks the claims against the policy at `now`; depends on nothing else. Throws for the first rule broken.
    @inline(__always)
    func evaluate(_ claims: borrowing Claims, now: NumericDate) throws(VerificationError) {
        try checkIssuer(claims)
        try checkAudience(claims)
        try checkDates(claims, now)
        try required.check(claims)
        // Most policies have none of the rules that follow, and no call is made for one that is missing.
        if let subject { try checkEquals(subject, claims, .subject, .subjectMismatch) }
        if let nonce { try checkEquals(nonce, claims, .nonce, .nonceMismatch) }
        if let accessToken { try checkHash(of: accessToken, claims, .accessTokenHash) }
        if let code { try checkHash(of: code, claims, .codeHash) }
        if maximumAuthenticationAgeSeconds != nil { try checkAuthenticationAge(claims, now) }
        if !contextClasses.isEmpty { try checkContextClass(claims) }
        if !authenticationMethods.isEmpty { try checkAuthenticationMethods(claims) }
        if !scopeNames.isEmpty { try checkScopes(claims) }
        if claims.places[.tokenID] != 0 { try checkRevocation(claims) }
        guard !checks.isEmpty else { return }
        for check in checks {
            if case .refused(let code, let reason) = check(claims, now) { throw VerificationError(code, because: reason) }
        }
    }

    @inline(__always)
    private func checkIssuer(_ claims: borrowing Claims) throws(VerificationError) {
        guard !issuerNames.isEmpty else { return }
        if let issuer = claims.plainText(.issuer), issuerNames.contains(issuer) { return }
        try checkOtherIssuer(claims)
    }

    /// For an issuer with escapes, and for a refusal.
    @inline(never)
    private func checkOtherIssuer(_ claims: borrowing Claims) throws(VerificationError) {
        guard let issuer = try Self.required(.issuer, claims).string, issuerNames.contains(issuer) else {
            throw VerificationError(.issuerMismatch, claim: .issuer)
        }
    }

    @inline(__always)
    private func checkAudience(_ claims: borrowing Claims) throws(VerificationError) {
        // The only audience is ours. Without `azp` no rule about it is left.
        if claims.places[.authorizedParty] == 0, let audience = claims.plainText(.audience), audienceNames.contains(audience) { return }
        try checkOtherAudience(claims)
    }

    /// For any other audience, or none.
    @inline(never)
    private func checkOtherAudience(_ claims: borrowing Claims) throws(VerificationError) {
        guard !audienceNames.isEmpty || requiresTrustedAudiences else { return try checkNamedParty(claims) }
        let audience = try Self.required(.audience, claims)
        let isForUs = if let one = audience.string { audienceNames.contains(one) } else { Self.isAny(of: audience, in: audienceNames) }
        let isForOthers =
            requiresTrustedAudiences && audience.string == nil && !Self.areAll(of: audience, in: audienceNames, or: trustedAudienceNames)
        guard isForUs, !isForOthers else { throw VerificationError(.audienceMismatch, claim: .audience) }
        guard requiresTrustedAudiences else { return try checkNamedParty(claims) }
        try checkAuthorizedParty(claims, isOneOfSeveral: audience.count > 1)
    }

    // The closures have the lists alone: one with the policy would copy it, and count a reference for each of its members.

    private static func isAny(of audiences: borrowing JSONValue, in names: NameList) -> Bool {
        audiences.anyElement { names.lists($0) }
    }

    private static func areAll(of audiences: borrowing JSONValue, in names: NameList, or others: NameList) -> Bool {
        audiences.allElements { names.lists($0) || others.lists($0) }
    }

    /// Without the rule about audiences, `azp` counts only where the policy names it.
    private func checkNamedParty(_ claims: borrowing Claims) throws(VerificationError) {
        guard authorizedParty != nil else { return }
        try checkAuthorizedParty(claims, isOneOfSeveral: false)
    }

    private func checkAuthorizedParty(_ claims: borrowing Claims, isOneOfSeveral: Bool) throws(VerificationError) {
        guard let party = claims[.authorizedParty] else {
            if isOneOfSeveral { throw VerificationError(.missingClaim, claim: .authorizedParty) }
            return
        }
        guard let name = party.string, isAuthorizedParty(name) else {
            throw VerificationError(.authorizedPartyMismatch, claim: .authorizedParty)
        }
    }

    private func isAuthorizedParty(_ name: borrowing JSONString) -> Bool {
        guard let authorizedParty else { return audienceNames.begins(with: name) }
        return name.equals(authorizedParty)
    }

    @inline(__always)
    private func checkDates(_ claims: borrowing Claims, _ now: NumericDate) throws(VerificationError) {
        if let expiration = claims.date(.expiration) {
            guard now < expiration.advanced(bySeconds: leewaySeconds) else { throw VerificationError(.expired, claim: .expiration) }
        } else if requiresExpiration {
            throw VerificationError(.missingClaim, claim: .expiration)
        }
        let latest = now.advanced(bySeconds: leewaySeconds)
        if let notBefore = claims.date(.notBefore), latest < notBefore {
            throw VerificationError(.notYetValid, claim: .notBefore)
        }
        if let issuedAt = claims.date(.issuedAt), issuedAt > latest {
            throw VerificationError(.issuedInFuture, claim: .issuedAt)
        }
        if let maximumAgeSeconds { try checkAge(maximumAgeSeconds, claims, .issuedAt, now, .tooOld) }
    }

    @inline(never)
    private func checkAge(
        _ maximum: Int64, _ claims: borrowing Claims, _ claim: RegisteredClaim, _ now: NumericDate, _ code: VerificationError.Code
    ) throws(VerificationError) {
        guard let date = try Self.required(claim, claims).date, now < date.advanced(bySeconds: maximum).advanced(bySeconds: leewaySeconds)
        else {
            throw VerificationError(code, claim: claim)
        }
    }

    @inline(never)
    private func checkEquals(
        _ expected: String, _ claims: borrowing Claims, _ claim: RegisteredClaim, _ code: VerificationError.Code
    ) throws(VerificationError) {
        let isExpected = try Self.required(claim, claims).string?.equals(expected) ?? false
        // An empty text is what a lost session or an unset variable holds: no token fits it.
        guard isExpected, !expected.isEmpty else { throw VerificationError(code, claim: claim) }
    }

    /// OIDC Core sections 3.1.3.6 and 3.3.2.11: the left half of the hash, in base64url.
    @inline(never)
    private func checkHash(of companion: String, _ claims: borrowing Claims, _ claim: RegisteredClaim) throws(VerificationError) {
        let stated = try Self.required(claim, claims)
        guard let digest = claims.algorithm.tokenDigest(for: claims.curve)?.bytes(of: companion.utf8.span), !digest.isEmpty,
            stated.string?.equals(Base64URL.encode(digest.prefix(digest.count / 2)).span) ?? false
        else { throw VerificationError(.tokenHashMismatch, claim: claim) }
    }

    @inline(never)
    private func checkAuthenticationAge(_ claims: borrowing Claims, _ now: NumericDate) throws(VerificationError) {
        guard let maximumAuthenticationAgeSeconds else { return }
        try checkAge(maximumAuthenticationAgeSeconds, claims, .authenticationTime, now, .authenticationTooOld)
        // A login in the future is invalid: its age would stay below the maximum until that date.
        if let date = claims.authenticationTime, date > now.advanced(bySeconds: leewaySeconds) {
            throw VerificationError(.issuedInFuture, claim: .authenticationTime)
        }
    }

    @inline(never)
    private func checkContextClass(_ claims: borrowing Claims) throws(VerificationError) {
        let contextClass = try Self.required(.contextClass, claims)
        guard contextClasses.contains(where: { contextClass.string?.equals($0) ?? false }) else {
            throw VerificationError(.contextClassMismatch, claim: .contextClass)
        }
    }

    @inline(never)
    private func checkAuthenticationMethods(_ claims: borrowing Claims) throws(VerificationError) {
        let methods = try Self.required(.authenticationMethods, claims)
        guard authenticationMethods.allSatisfy({ methods.contains($0) }) else {
            throw VerificationError(.contextClassMismatch, claim: .authenticationMethods)
        }
    }

    @inline(never)
    private func checkScopes(_ claims: borrowing Claims) throws(VerificationError) {
        let payload = claims.value
        if scopeNames.contains(where: { !payload.grants($0) }) { throw VerificationError(.insufficientScope) }
    }

    @inline(never)
    private func checkRevocation(_ claims: borrowing Claims) throws(VerificationError) {
        guard let tokenID = claims.tokenID, revoked.first(tokenID) >= 0 else { return }
        throw VerificationError(.revoked, claim: .tokenID)
    }

    @_lifetime(copy claims)
    private static func required(_ claim: RegisteredClaim, _ claims: borrowing Claims) throws(VerificationError) -> JSONValue {
        guard let value = claims[claim] else { throw VerificationError(.missingClaim, claim: claim) }
        return value
    }
}
