#if HTTP
internal import JWTCore
internal import NIOSSL

extension NIOSSLCertificate {
    /// Whether its key is strong enough for token verification: RSA from 2,048 bits, P-256, P-384, P-521, Ed25519. NIOSSL itself supports
    /// no smaller curve, but accepts RSA of any size.
    var hasStrongKey: Bool {
        guard let key = try? extractPublicKey().toSPKIBytes() else { return false }
        return (try? VerificationKey(importing: key.span)) != nil
    }

    /// Whether this certificate is valid for the requested host (RFC 9525 section 6): a name must match one of its DNS names, an address
    /// one of its addresses; its common name never counts.
    ///
    /// NIOSSL has checked the names before, but also accepts a certificate for the address behind a name. Then an attacker who can redirect
    /// the name in DNS would only need a certificate for their own address.
    func isFor(_ target: TargetURL) -> Bool {
        let host = Array(target.origin.host.utf8)
        return _subjectAlternativeNames().contains { name in
            if let literal = target.literal { return name.nameType == .ipAddress && Array(name.contents) == literal.bytes }
            return name.nameType == .dnsName && Self.matches(host, Array(name.contents))
        }
    }

    /// Whether a lower-case host equals the presented name, or has exactly one label in place of `*` (RFC 9525 section 6.3).
    private static func matches(_ host: [UInt8], _ presented: [UInt8]) -> Bool {
        let presented = presented.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let dot = UInt8(ascii: ".")
        guard presented.starts(with: "*.".utf8) else { return host == presented }
        let parent = presented.dropFirst(2)
        // A wildcard for a whole top-level domain is invalid.
        guard let first = host.firstIndex(of: dot), first > 0, parent.contains(dot) else { return false }
        return host[(first + 1)...].elementsEqual(parent)
    }
}
#endif
