#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// An IPv4 or IPv6 address, without a zone.
package struct IPAddress: Hashable, Sendable {
    /// Four bytes or sixteen, in network order.
    package let bytes: [UInt8]

    init(v4 bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix(4)) }

    init(v6 bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix(16)) }

    /// Parses an address in every spelling that the system's resolver accepts and would dial: `127.1`, `0x7f.1`, `017700000001`,
    /// `2130706433`, `::ffff:127.0.0.1`. Nil for a name.
    package init?(numeric host: String) {
        guard let addresses = try? AddressResolution.resolve(host, flags: AI_NUMERICHOST), let first = addresses.first else { return nil }
        self = first
    }

    package var isV6: Bool { bytes.count == 16 }

    /// Whether its first `length` bits equal those of `prefix`. Always false for the other address family.
    func hasPrefix(_ prefix: [UInt8], length: Int, isV6 prefixIsV6: Bool) -> Bool {
        guard isV6 == prefixIsV6 else { return false }
        let whole = length / 8, rest = length % 8
        guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
        guard rest > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xff << (8 - rest))
        return bytes[whole] & mask == prefix[whole] & mask
    }
}

extension IPAddress: CustomStringConvertible {
    /// The dotted quad, or the text of RFC 5952 without brackets.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(isV6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The spelling in a URL: an IPv6 address has brackets.
    package var urlHost: String { isV6 ? "[\(description)]" : description }
}
