#if IDaaS
extension Caller {
    /// A device counts per client.
    var deviceKey: String { "\(client.id) \(device.hexadecimal)" }

    /// Of an IPv6 address the /64 counts: whoever has one address of it has them all.
    var addressKey: String {
        guard address.contains(":"), let groups = Self.groups(address) else { return address }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }

    /// The eight groups of an IPv6 address, written out; nil if it is none.
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
#endif
