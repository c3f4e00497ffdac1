extension ClaimsPolicy {
    /// A policy for Status List Tokens (draft-ietf-oauth-status-list-20 section 5.1): `typ` statuslist+jwt; `sub` and `iat` required; `exp`
    /// checked if present.
    ///
    /// Any list of the issuers whose keys verify it meets this policy. Its `sub` says which list it is; the program that
    /// reads the list compares it. Set ``issuers`` if your keys belong to several issuers.
    public static var statusList: Self {
        var policy = Self()
        policy.types = ["statuslist+jwt"]
        policy.requiresExpiration = false
        policy.requiredClaims = ["sub", "iat"]
        return policy
    }
}

extension Claims {
    /// Checks that these are the claims of the Status List Token for `uri`, whatever policy they were verified by.
    ///
    /// - Throws: `type_mismatch`, `expired`, `not_yet_valid`, `issued_in_future`, `missing_claim`, `subject_mismatch`.
    package func requireStatusList(of uri: String, now: NumericDate, leeway: Duration) throws(VerificationError) {
        var policy = ClaimsPolicy.statusList
        // The verification has judged the algorithm.
        policy.algorithms = [algorithm]
        policy.leeway = leeway
        policy.subject = uri
        try policy.evaluate(header)
        try policy.evaluate(self, now: now)
    }
}
