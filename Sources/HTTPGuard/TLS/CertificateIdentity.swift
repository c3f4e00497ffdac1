#if HTTP
internal import NIOSSL

extension NIOSSLCertificate {
    /// Whether this certificate is for the host that was asked for (RFC 9525 section 6): a name by one of its DNS names, an address by
    /// one of its addresses, and never by its common name.
    ///
    /// NIOSSL has looked at the names before, but also takes a certificate for the address behind a name. Then whoever can redirect the
    /// name, in DNS, would only need a certificate for an address of their own.
    func isFor(_ target: TargetURL) -> Bool {
        let host = Array(target.origin.host.utf8)
        return _subjectAlternativeNames().contains { name in
            if let literal = target.literal { return name.nameType == .ipAddress && Array(name.contents) == literal.bytes }
            return name.nameType == .dnsName && Self.matches(host, Array(name.contents))
        }
    }

    /// Whether a host in lower case is the presented name, or has one label more than what follows `*.` (RFC 9525 section 6.3).
    private static func matches(_ host: [UInt8], _ presented: [UInt8]) -> Bool {
        let presented = presented.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let dot = UInt8(ascii: ".")
        guard presented.starts(with: "*.".utf8) else { return host == presented }
        let parent = presented.dropFirst(2)
        // A star for all of a top-level domain is nobody's.
        guard let first = host.firstIndex(of: dot), first > 0, parent.contains(dot) else { return false }
        return host[(first + 1)...].elementsEqual(parent)
    }
}
#endif
