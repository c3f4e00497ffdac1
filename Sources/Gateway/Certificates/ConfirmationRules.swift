internal import JWTCore

/// Which methods of `cnf` are checked for a provider's tokens. A token with a method that is not checked is refused: to whom it belongs is
/// not known.
struct ConfirmationRules: BitwiseCopyable, Sendable {
    /// Whether proofs of a key are asked for (`jkt`).
    private let checksKeys: Bool
    private let certificates: CertificateBinding?

    /// Nil for a provider that looks at no `cnf`.
    init?(_ provider: Provider) {
        guard provider.proofs != nil || provider.certificateBinding != nil else { return nil }
        checksKeys = provider.proofs != nil
        certificates = provider.certificateBinding
    }

    /// Checks that every method of a token's `cnf` is one that is checked, and that the client has the certificate that it names. The proof
    /// of a key is judged behind this.
    ///
    /// - Parameters:
    ///   - claims: of the token.
    ///   - isAnswer: whether they are the answer of an authorization server (RFC 7662).
    ///   - request: that the token came with.
    /// - Throws: why the token is refused.
    func check(_ claims: borrowing Claims, isAnswer: Bool, _ request: RequestView) throws(VerificationError) {
        let confirmation = try claims.confirmation, key = confirmation.keyThumbprint
        if confirmation == .otherMethod || key != nil && !checksKeys { throw VerificationError(.unsupportedConfirmation) }
        // RFC 9449 section 6.2: the answer about a bound token has its key.
        if isAnswer, key == nil, Self.isOfProofs(claims) { throw VerificationError(.unboundToken) }
        guard let bound = confirmation.certificateThumbprint else {
            if certificates == .required { throw VerificationError(.notCertificateBound) }
            return
        }
        guard certificates != nil else { throw VerificationError(.unsupportedConfirmation) }
        guard !request.certificate.isEmpty else { throw VerificationError(.missingCertificate) }
        guard try request.certificateForm.thumbprint(of: request.certificate) == bound else {
            throw VerificationError(.certificateMismatch)
        }
    }

    /// Types of tokens are compared without regard to case (RFC 6749 section 5.1).
    private static func isOfProofs(_ claims: borrowing Claims) -> Bool {
        guard let type = claims["token_type"]?.string, !type.isEscaped else { return false }
        return type.raw.equals(lowercased: proofs, in: type.raw.indices)
    }

    private static let proofs = Array("dpop".utf8)
}
