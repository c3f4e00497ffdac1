import ArgumentParser
import JWTCore

/// The certificate of the client that sent the token: an option of `verify`.
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificate of the client that sent the token, in PEM or DER (RFC 8705). The token has to be bound to it.",
            valueName: "file"),
        completion: .file())
    var certificate: String?

    /// The thumbprint of the certificate; nil without the option.
    func presented() throws -> CertificateThumbprint? {
        guard let certificate else { return nil }
        guard let bytes = DescriptorBytes.read(path: certificate, upTo: 1 << 20) else {
            throw ValidationError("--certificate: \(certificate.prefix(200)) cannot be read")
        }
        guard let der = Self.document(bytes) else {
            throw ValidationError("--certificate: \(certificate.prefix(200)) has not one certificate")
        }
        do throws(VerificationError) {
            return try CertificateThumbprint(ofCertificate: der.span)
        } catch {
            throw ValidationError("--certificate: \(certificate.prefix(200)) is refused: \(error.code.name)")
        }
    }

    private static let begin = "-----BEGIN CERTIFICATE-----", end = "-----END CERTIFICATE-----"

    /// The DER of a file: its bytes, or those of the one certificate in its PEM. Text around that is ignored, as openssl writes it.
    private static func document(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.first != 0x30 else { return bytes }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: begin, omittingEmptySubsequences: false)
        guard parts.count == 2, let stop = parts[1].firstRange(of: end) else { return nil }
        return Base64.bytes(parts[1][..<stop.lowerBound].filter { !$0.isWhitespace })
    }
}

/// What the sender of a token shows beside it: a proof, the certificate of its connection, or both.
struct PresentedBinding: Sendable {
    var proof: PresentedProof?
    var certificate: CertificateThumbprint?

    /// Verifies what a token is bound to. A method of `cnf` that nothing is shown for is refused, where anything is shown.
    ///
    /// - Throws: the codes of proofs and of certificates.
    func verify(_ claims: borrowing Claims, of token: [UInt8], now: NumericDate?) throws(VerificationError) {
        guard proof != nil || certificate != nil else { return }
        let confirmation = try claims.confirmation, key = confirmation.keyThumbprint, bound = confirmation.certificateThumbprint
        guard confirmation != .otherMethod, key == nil || proof != nil, bound == nil || certificate != nil else {
            throw VerificationError(.unsupportedConfirmation)
        }
        if let certificate {
            guard let bound else { throw VerificationError(.notCertificateBound) }
            guard bound == certificate else { throw VerificationError(.certificateMismatch) }
        }
        if let proof {
            guard let key else { throw VerificationError(.unboundToken) }
            try proof.verify(token, boundTo: key, now: now)
        }
    }
}
