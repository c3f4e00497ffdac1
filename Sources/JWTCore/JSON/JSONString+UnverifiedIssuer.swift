extension Span<UInt8> {
    /// The value of the first member `iss` of this JSON object, of which nothing else has been read; nil if there is no such text, or if the
    /// name has an escape.
    package var unverifiedIssuer: JSONString? {
        @_lifetime(copy self) get {
            guard case .found(let range, let isEscaped) = issuerPlace else { return nil }
            return JSONString(extracting(range), isEscaped: isEscaped)
        }
    }

    /// Throws why a payload that is too long to be read before its signature has no issuer: `missing_claim`, `invalid_claim`,
    /// `token_too_large`.
    func refuseWithoutIssuer() throws(VerificationError) {
        switch issuerPlace {
        case .found: return
        case .otherType: throw VerificationError(.invalidClaim, claim: .issuer)
        case .missing: throw VerificationError(.missingClaim, claim: .issuer)
        case .hidden: throw VerificationError(.tokenTooLarge, claim: .issuer)
        }
    }
}
