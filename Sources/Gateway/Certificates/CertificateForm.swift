package import JWTCore

/// How a gateway writes the certificate of its client, whose private key the client has proved in the TLS handshake.
public enum CertificateForm: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// PEM, percent-encoded: `$ssl_client_escaped_cert` of nginx, and `source.certificate` of Envoy's filter `ext_authz`.
    case pemEscaped = "pem-escaped"
    /// The field `x-forwarded-client-cert` of Envoy.
    case xfcc
    /// DER in Base64 with padding: `ssl_c_der,base64` of HAProxy.
    case derBase64 = "der-base64"
    /// DER in Base64 between colons: the field `Client-Cert` (RFC 9440 section 2.2).
    case rfc9440
    /// The bytes of the DER, for hosts that have them. No field has this form.
    case der
    /// The SHA-256 digest of the DER in 64 hexadecimal digits, for hosts that have no more. No field has this form.
    case digest

    /// Whether a header field can have this form.
    package var isOfField: Bool { self != .der && self != .digest }

    /// The most bytes of a text. A chain beside the certificate counts.
    static let mostTextBytes = 65_536

    /// Reads the certificate, strictly: one spelling, one certificate, and nothing behind it.
    ///
    /// - Parameter text: is not empty.
    /// - Throws: `certificate_too_large`, `malformed_certificate`.
    package func thumbprint(of text: Span<UInt8>) throws(VerificationError) -> CertificateThumbprint {
        guard text.count <= Self.mostTextBytes else { throw VerificationError(.certificateTooLarge, at: Self.mostTextBytes) }
        switch self {
        case .pemEscaped: return try Self.thumbprint(EscapedPEM.certificate(text))
        case .xfcc: return try ForwardedCertificate.thumbprint(of: text)
        case .derBase64: return try Self.thumbprint(StrictBase64.bytes(text, text.indices))
        case .rfc9440: return try Self.thumbprint(Self.bytes(betweenColons: text))
        case .der: return try CertificateThumbprint(ofCertificate: text)
        case .digest: return try Self.thumbprint(ofDigest: text, text.indices)
        }
    }

    /// - Parameter der: nil for a text that is none of its form.
    static func thumbprint(_ der: [UInt8]?) throws(VerificationError) -> CertificateThumbprint {
        guard let der else { throw VerificationError(.malformedCertificate) }
        return try CertificateThumbprint(ofCertificate: der.span)
    }

    /// Reads a digest in hexadecimal digits of either case.
    static func thumbprint(ofDigest text: Span<UInt8>, _ range: Range<Int>) throws(VerificationError) -> CertificateThumbprint {
        var digest: [UInt8] = []
        guard range.count == 64 else { throw VerificationError(.malformedCertificate) }
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            guard let high = text[place].hexadecimalValue, let low = text[place + 1].hexadecimalValue else {
                throw VerificationError(.malformedCertificate)
            }
            digest.append(high << 4 | low)
        }
        guard let thumbprint = CertificateThumbprint(digest) else { throw VerificationError(.malformedCertificate) }
        return thumbprint
    }

    /// A Byte Sequence of RFC 8941 section 3.3.5, without parameters: an Item has one spelling here.
    private static func bytes(betweenColons text: Span<UInt8>) -> [UInt8]? {
        guard text.count > 2, text[0] == UInt8(ascii: ":"), text[text.count - 1] == UInt8(ascii: ":") else { return nil }
        return StrictBase64.bytes(text, 1..<text.count - 1)
    }
}
