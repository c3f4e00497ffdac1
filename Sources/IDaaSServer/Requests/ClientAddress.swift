internal import HTTPGuard

/// The trusted proxies, whose statements about a client's address are believed.
package struct TrustedProxies: Hashable, Sendable {
    private let blocks: [AddressBlock]

    package init(_ blocks: [AddressBlock]) { self.blocks = blocks }

    /// The client's address: the peer itself, or behind a trusted proxy the last address of `X-Forwarded-For` that is not a trusted proxy.
    /// The client can forge the addresses before that.
    package func clientAddress(peer: String, forwardedFor: [String]) -> String {
        guard isTrusted(peer) else { return AddressBlock.canonical(peer) ?? peer }
        let hops = forwardedFor.flatMap { $0.split(separator: ",") }.map { Self.host(of: String($0).trimmed) }
        var client = AddressBlock.canonical(peer) ?? peer
        for hop in hops.reversed() {
            guard let address = AddressBlock.canonical(hop) else { break }
            client = address
            guard isTrusted(address) else { break }
        }
        return client
    }

    package func isTrusted(_ address: String) -> Bool { blocks.contains { $0.contains(address) } }

    /// Without the port that some proxies add: `192.0.2.1:443`, `[2001:db8::1]:443`.
    private static func host(of hop: String) -> String {
        if hop.hasPrefix("["), let end = hop.firstIndex(of: "]") { return String(hop[hop.index(after: hop.startIndex)..<end]) }
        return hop.count(where: { $0 == ":" }) == 1 ? String(hop.prefix { $0 != ":" }) : hop
    }
}

/// A range of addresses: `10.0.0.0/8`, `::1`.
package struct AddressBlock: Hashable, Sendable {
    private let prefix: [UInt8]
    private let length: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let bytes = Self.bytes(of: String(first)) else { return nil }
        guard parts.count == 2 else {
            self.init(prefix: bytes, length: 8 * bytes.count)
            return
        }
        guard let length = Int(parts[1]), (0...8 * bytes.count).contains(length) else { return nil }
        self.init(prefix: bytes, length: length)
    }

    private init(prefix: [UInt8], length: Int) {
        self.prefix = prefix
        self.length = length
    }

    package static let loopback = [
        Self(prefix: [127, 0, 0, 0], length: 8), Self(prefix: [UInt8](repeating: 0, count: 15) + [1], length: 128),
    ]

    package func contains(_ address: String) -> Bool {
        guard let bytes = Self.bytes(of: address), bytes.count == prefix.count else { return false }
        for bit in 0..<length where (bytes[bit / 8] ^ prefix[bit / 8]) & (0x80 >> UInt8(bit % 8)) != 0 { return false }
        return true
    }

    /// The one spelling of an address for counting and comparing; nil for an invalid address.
    package static func canonical(_ text: String) -> String? {
        guard let bytes = bytes(of: text) else { return nil }
        return bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : IPAddress(numeric: text)?.description
    }

    /// An IPv4-mapped IPv6 address is read as IPv4.
    private static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ ($0 | 0x20 >= UInt8(ascii: "0") && $0 | 0x20 <= UInt8(ascii: "f")) || $0 == UInt8(ascii: ".") }),
            let bytes = IPAddress(numeric: text)?.bytes
        else { return nil }
        let mapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        return mapped ? Array(bytes.suffix(4)) : bytes
    }
}
