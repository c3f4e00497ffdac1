internal import COpenSSL

/// The SHA-256 thumbprint of a client's certificate, as a token that is bound to it has it in `cnf` as `x5t#S256` (RFC 8705 section 3.1):
/// the hash of its DER. Two are compared in constant time.
///
/// A thumbprint says that a certificate is well-formed, and not that its owner is there: whoever ended the TLS connection has seen the
/// proof of its private key.
public struct CertificateThumbprint: Hashable, Sendable, BitwiseCopyable {
    private let digest: KeyThumbprint

    /// The most bytes of a certificate in DER. One with a post-quantum key and signature has about 8,000.
    public static let mostBytes = 16_384

    /// - Parameter digest: the SHA-256 digest of a certificate's DER: 32 bytes; nil for any other number.
    public init?(_ digest: [UInt8]) {
        guard let digest = KeyThumbprint(digest) else { return nil }
        self.digest = digest
    }

    /// Reads the base64url text that `x5t#S256` has: 43 characters. Nil for any other text.
    ///
    /// - Parameter text: base64url without padding.
    public init?(_ text: String) { self.init(base64URL: JSONString(text.utf8.span, isEscaped: false)) }

    /// Reads a text of a token. No thumbprint needs an escape.
    package init?(base64URL text: borrowing JSONString) {
        guard let digest = KeyThumbprint(base64URL: text) else { return nil }
        self.digest = digest
    }

    /// Hashes a certificate. Its dates, its issuer and its use are not judged: whoever ended the TLS connection has done so.
    ///
    /// - Parameter der: one X.509 certificate in DER, and nothing behind it, of at most ``mostBytes`` bytes.
    /// - Throws: `certificate_too_large`; `malformed_certificate` for anything else than one certificate.
    public init(ofCertificate der: Span<UInt8>) throws(VerificationError) {
        guard der.count <= Self.mostBytes else { throw VerificationError(.certificateTooLarge, at: Self.mostBytes) }
        // SAFETY: libcrypto reads the bytes with their length.
        let isOne = unsafe der.withUnsafeBufferPointer { unsafe cossl_is_certificate($0.baseAddress, $0.count) == 1 }
        guard isOne, let digest = KeyThumbprint(hashing: der) else { throw VerificationError(.malformedCertificate) }
        self.digest = digest
    }

    /// The digest: 32 bytes.
    public var bytes: [UInt8] { digest.bytes }
}

extension CertificateThumbprint: CustomStringConvertible {
    /// The digest in base64url, as `x5t#S256` has it.
    public var description: String { digest.description }
}
