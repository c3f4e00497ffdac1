/// How the presenter of a verified token proves that the token is its own: the claim `cnf` (RFC 7800 section 3.1).
///
/// A malformed claim is never one of these: ``Claims/confirmation`` throws.
public enum ConfirmationClaim: Hashable, Sendable {
    /// The token has no claim `cnf`: whoever has the token may use it.
    case absent
    /// `jkt`: the presenter proves that it has the private key to this thumbprint (RFC 9449 section 6.1).
    case keyThumbprint(KeyThumbprint)
    /// The claim names other methods only, such as a certificate.
    case otherMethod
}

extension Claims {
    /// The claim `cnf`. Reading it allocates nothing.
    ///
    /// - Throws: `invalid_confirmation` unless the claim is an object that names a method, and its `jkt`, if it has one, is the base64url
    ///   text of 32 bytes.
    public var confirmation: ConfirmationClaim {
        get throws(VerificationError) {
            guard let claim = self["cnf"] else { return .absent }
            guard claim.isObject, claim.count > 0 else {
                throw VerificationError(.invalidConfirmation, because: "cnf is not an object that names a method")
            }
            guard let member = claim["jkt"] else { return .otherMethod }
            guard let text = member.string, let thumbprint = KeyThumbprint(base64URL: text) else {
                throw VerificationError(.invalidConfirmation, because: "jkt is not the base64url text of a SHA-256 thumbprint")
            }
            return .keyThumbprint(thumbprint)
        }
    }
}
