internal import JWTCore

extension JSONValue {
    /// The value as a string that is not empty, and not longer than the limit.
    ///
    /// - Throws: `code` otherwise.
    func text(_ code: SecurityEventError.Code, _ limits: SecurityEventLimits) throws(SecurityEventError) -> String {
        guard let string, string.raw.count > 0, string.raw.count <= limits.textBytes else { throw SecurityEventError(code) }
        return string.string
    }

    /// The same for a member; nil if it is absent.
    func text(_ name: String, _ code: SecurityEventError.Code, _ limits: SecurityEventLimits) throws(SecurityEventError) -> String? {
        guard let value = self[name] else { return nil }
        return try value.text(code, limits)
    }

    /// The same for a member that has to be there.
    func requiredText(_ name: String, _ code: SecurityEventError.Code, _ limits: SecurityEventLimits) throws(SecurityEventError) -> String {
        guard let text = try text(name, code, limits) else { throw SecurityEventError(code) }
        return text
    }
}
