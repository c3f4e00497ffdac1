#if HTTP
internal import JWTCore
internal import NIOSSL

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The SHA-256 of a server's SubjectPublicKeyInfo (RFC 7469 section 2.4). A pin is an additional check; the certificate is still verified.
/// Pin the next key as well, or its roll-over locks you out.
public struct PublicKeyPin: Hashable, Sendable {
    private let digest: [UInt8]

    /// - Parameter base64: the digest, with an optional `sha256/` or `sha256//` prefix.
    /// - Throws: if that is not the base64 of 32 bytes.
    public init(_ base64: String) throws(ConfigurationFailure) {
        let encoded = base64.hasPrefix("sha256/") ? base64.dropFirst(7).drop { $0 == "/" } : base64[...]
        guard let data = Data(base64Encoded: String(encoded)), data.count == 32 else {
            throw ConfigurationFailure("a pin is the base64 of a SHA-256, with 44 characters")
        }
        digest = Array(data)
    }

    /// The pin of a certificate's key; nil if the key cannot be encoded.
    init?(_ certificate: NIOSSLCertificate) {
        guard let key = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        digest = Digest.sha256.bytes(of: key.span)
    }
}
#endif
