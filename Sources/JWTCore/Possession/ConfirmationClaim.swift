/// How the presenter of a verified token proves that the token is its own: the claim `cnf` (RFC 7800 section 3.1).
///
/// A malformed claim is never one of these: ``Claims/confirmation`` throws. A claim with a method that is not known here is
/// ``otherMethod``, whatever else it names: a resource server that checks one of two methods has not checked the token's binding.
public enum ConfirmationClaim: Hashable, Sendable {
    /// The token has no claim `cnf`: whoever has the token may use it.
    case absent
    /// `jkt` alone: the presenter proves that it has the private key to this thumbprint (RFC 9449 section 6.1).
    case keyThumbprint(KeyThumbprint)
    /// `x5t#S256` alone: the presenter's TLS connection has this certificate (RFC 8705 section 3.1).
    case certificateThumbprint(CertificateThumbprint)
    /// Both of them, and both have to hold.
    case keyAndCertificate(KeyThumbprint, CertificateThumbprint)
    /// The claim names another method, such as an embedded key.
    case otherMethod

    /// The key that a proof has to be signed with; nil if the claim names none.
    public var keyThumbprint: KeyThumbprint? {
        switch self {
        case .keyThumbprint(let key), .keyAndCertificate(let key, _): key
        case .absent, .certificateThumbprint, .otherMethod: nil
        }
    }

    /// The certificate that the connection has to have; nil if the claim names none.
    public var certificateThumbprint: CertificateThumbprint? {
        switch self {
        case .certificateThumbprint(let certificate), .keyAndCertificate(_, let certificate): certificate
        case .absent, .keyThumbprint, .otherMethod: nil
        }
    }
}

extension Claims {
    /// The claim `cnf`. Reading it allocates nothing.
    ///
    /// - Throws: `invalid_confirmation` unless the claim is an object that names a method, and its `jkt` and `x5t#S256`, if it has them,
    ///   are the base64url texts of 32 bytes.
    public var confirmation: ConfirmationClaim {
        get throws(VerificationError) {
            guard let claim = self["cnf"] else { return .absent }
            guard claim.isObject, claim.count > 0 else {
                throw VerificationError(.invalidConfirmation, because: "cnf is not an object that names a method")
            }
            let key = try Self.keyThumbprint(claim), certificate = try Self.certificateThumbprint(claim)
            guard claim.count == (key == nil ? 0 : 1) + (certificate == nil ? 0 : 1) else { return .otherMethod }
            return switch (key, certificate) {
            case (let key?, let certificate?): .keyAndCertificate(key, certificate)
            case (let key?, nil): .keyThumbprint(key)
            case (nil, let certificate?): .certificateThumbprint(certificate)
            case (nil, nil): .otherMethod
            }
        }
    }

    private static func keyThumbprint(_ claim: borrowing JSONValue) throws(VerificationError) -> KeyThumbprint? {
        guard let member = claim["jkt"] else { return nil }
        guard let text = member.string, let thumbprint = KeyThumbprint(base64URL: text) else {
            throw VerificationError(.invalidConfirmation, because: "jkt is not the base64url text of a SHA-256 thumbprint")
        }
        return thumbprint
    }

    private static func certificateThumbprint(_ claim: borrowing JSONValue) throws(VerificationError) -> CertificateThumbprint? {
        guard let member = claim["x5t#S256"] else { return nil }
        guard let text = member.string, let thumbprint = CertificateThumbprint(base64URL: text) else {
            throw VerificationError(.invalidConfirmation, because: "x5t#S256 is not the base64url text of a SHA-256 thumbprint")
        }
        return thumbprint
    }
}
