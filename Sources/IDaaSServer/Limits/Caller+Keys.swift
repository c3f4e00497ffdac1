internal import IDaaSWire

extension Caller {
    /// A device is counted per client.
    var deviceKey: String { "\(client.id) \(device.hexadecimal)" }

    /// An IPv6 address is counted by its /64, because a holder of one address of a network has all of them.
    var addressKey: String { Self.addressKey(address) }

    static func addressKey(_ address: String) -> String {
        guard address.contains(":"), let groups = Self.groups(address) else { return address }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }

    /// The network of the address, for people: the first 24 bits of an IPv4 address, the first 48 of an IPv6 address.
    var network: String {
        guard address.contains(":") else {
            let parts = address.split(separator: ".")
            return parts.count == 4 ? parts.prefix(3).joined(separator: ".") + ".0/24" : ""
        }
        return Self.groups(address).map { $0.prefix(3).joined(separator: ":") + "::/48" } ?? ""
    }

    /// The eight groups of an IPv6 address, expanded; nil for any other text.
    private static func groups(_ text: String) -> [String]? {
        let halves = text.prefix { $0 != "%" }.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves.map { $0.split(separator: ":").map { $0.lowercased() } }
        guard let head = parts.first else { return nil }
        let tail = parts.dropFirst().first ?? []
        let missing = 8 - head.count - tail.count
        guard missing >= 0, halves.count == 2 || missing == 0 else { return nil }
        return (head + Array(repeating: "0", count: missing) + tail).map { String($0.drop { $0 == "0" }) }.map { $0.isEmpty ? "0" : $0 }
    }
}
