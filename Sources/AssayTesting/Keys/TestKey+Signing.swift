internal import JWTSigning

// Making tokens.

extension TestKey {
    /// Signs claims that are written as a dictionary. A claim whose value is nil is left out.
    ///
    /// ```swift
    /// let token = try key.token(claims: ["sub": user.id, "aud": ["client-1", "client-2"], "exp": 1_700_003_600, "admin": true])
    /// ```
    ///
    /// - Parameters:
    ///   - claims: the claims. Dates are NumericDates: seconds since 1970; a `Date` becomes one.
    ///   - type: `typ` of the header; nil leaves it out.
    /// - Throws: the errors of a value's encoding; ``TestKeyError/signing``.
    public func token(claims: [String: (any Encodable)?], type: String? = "JWT") throws -> String {
        try token(payload: ClaimMembers(claims).json, type: type)
    }

    /// Signs the claims of any type that encodes as a JSON object.
    ///
    /// - Throws: the errors of its encoding; ``TestKeyError/notAnObject``, ``TestKeyError/signing``.
    public func token(encoding claims: some Encodable, type: String? = "JWT") throws -> String {
        try token(payload: ClaimMembers.object(claims), type: type)
    }

    /// Signs any text as the payload, unchanged, even what is no JSON.
    ///
    /// - Throws: ``TestKeyError/signing``.
    public func token(payload: String, type: String? = "JWT") throws(TestKeyError) -> String {
        guard let token = TokenSigner(signing).token(payload: payload, type: type) else { throw .signing }
        return token
    }

    /// Signs any payload under any header text, even an invalid one.
    ///
    /// - Throws: ``TestKeyError/signing``.
    public func token(header: String, payload: String) throws(TestKeyError) -> String {
        guard let token = TokenSigner(signing).token(header: header, payload: Array(payload.utf8)) else { throw .signing }
        return token
    }
}
