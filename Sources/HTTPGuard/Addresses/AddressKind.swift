/// The kind of an address, as far as it matters for a URL from an untrusted source.
package enum AddressKind: String, Sendable, CaseIterable {
    case unspecified
    case loopback
    /// RFC 1918, unique local (RFC 4193), shared by carriers (RFC 6598), and the former site-local range.
    case `private`
    case linkLocal = "link-local"
    /// Cloud services that give out the machine's credentials. Most of these are link-local, some are in other ranges.
    case metadata
    case multicast
    /// Broadcast, documentation, benchmarks, and unassigned ranges.
    case reserved
    case global
}

extension IPAddress {
    /// The kind of this address. An IPv6 address that embeds an IPv4 address has the kind of that one.
    package var kind: AddressKind {
        if let embedded { return embedded.kind }
        for row in Self.table where hasPrefix(row.prefix, length: row.length, isV6: row.isV6) { return row.kind }
        // The rest of IPv6 is unassigned.
        return isV6 ? .reserved : .global
    }

    /// The embedded IPv4 address: mapped (RFC 4291 section 2.5.5.2), compatible (2.5.5.1), translated by NAT64 (RFC 6052) or 6to4 (RFC
    /// 3056). `::` and `::1` are not IPv4 addresses.
    private var embedded: IPAddress? {
        guard isV6 else { return nil }
        if hasPrefix([0x20, 0x02], length: 16, isV6: true) { return IPAddress(v4: bytes[2..<6]) }
        let isMapped = hasPrefix(Array(repeating: 0, count: 10) + [0xff, 0xff], length: 96, isV6: true)
        let isTranslated = hasPrefix([0x00, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8), length: 96, isV6: true)
        let isCompatible = bytes.prefix(12).allSatisfy { $0 == 0 } && !bytes[12..<15].allSatisfy { $0 == 0 }
        return isMapped || isTranslated || isCompatible ? IPAddress(v4: bytes[12...]) : nil
    }

    private struct Row {
        let prefix: [UInt8]
        let length: Int
        let isV6: Bool
        let kind: AddressKind

        init(_ kind: AddressKind, v4 prefix: [UInt8], _ length: Int) {
            (self.kind, self.prefix, self.length, self.isV6) = (kind, prefix, length, false)
        }

        init(_ kind: AddressKind, v6 prefix: [UInt8], _ length: Int) {
            (self.kind, self.prefix, self.length, self.isV6) = (kind, prefix + Array(repeating: 0, count: 16 - prefix.count), length, true)
        }
    }

    /// The IANA registries of special-purpose addresses (RFC 6890), narrow ranges before the wider ones around them; the first match
    /// decides.
    private static let table: [Row] = [
        Row(.metadata, v4: [169, 254, 169, 254], 32),
        Row(.metadata, v4: [169, 254, 170, 2], 32),
        Row(.metadata, v4: [100, 100, 100, 200], 32),
        Row(.metadata, v4: [168, 63, 129, 16], 32),
        Row(.metadata, v4: [192, 0, 0, 192], 32),
        Row(.unspecified, v4: [0], 8),
        Row(.private, v4: [10], 8),
        Row(.private, v4: [100, 64], 10),
        Row(.loopback, v4: [127], 8),
        Row(.linkLocal, v4: [169, 254], 16),
        Row(.private, v4: [172, 16], 12),
        Row(.reserved, v4: [192, 0, 0], 24),
        Row(.reserved, v4: [192, 0, 2], 24),
        Row(.reserved, v4: [192, 88, 99], 24),
        Row(.private, v4: [192, 168], 16),
        Row(.reserved, v4: [198, 18], 15),
        Row(.reserved, v4: [198, 51, 100], 24),
        Row(.reserved, v4: [203, 0, 113], 24),
        Row(.multicast, v4: [224], 4),
        Row(.reserved, v4: [240], 4),

        Row(.metadata, v6: [0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128),
        Row(.metadata, v6: [0xfd, 0x20, 0x00, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128),
        Row(.unspecified, v6: [], 128),
        Row(.loopback, v6: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128),
        // Teredo, benchmarks, ORCHID and the other protocol assignments of RFC 2928.
        Row(.reserved, v6: [0x20, 0x01], 23),
        Row(.reserved, v6: [0x20, 0x01, 0x0d, 0xb8], 32),
        Row(.reserved, v6: [0x3f, 0xff], 20),
        Row(.global, v6: [0x20], 3),
        Row(.private, v6: [0xfc], 7),
        Row(.linkLocal, v6: [0xfe, 0x80], 10),
        Row(.private, v6: [0xfe, 0xc0], 10),
        Row(.multicast, v6: [0xff], 8),
    ]
}
