/// Counts each kind of event.
struct Coverage {
    private(set) var counts: [String: Int] = [:]

    mutating func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }

    mutating func add(_ other: Self) { counts.merge(other.counts, uniquingKeysWith: +) }

    subscript(what: String) -> Int { counts[what] ?? 0 }

    /// The sum over a group.
    func sum(_ group: String) -> Int { counts.reduce(0) { $0 + ($1.key.hasPrefix(group + ".") ? $1.value : 0) } }

    /// One line per group: the part of the name before the first full stop.
    var lines: [String] {
        let groups = Dictionary(grouping: counts.keys.sorted()) { $0.prefix { $0 != "." } }
        return groups.keys.sorted().map { group in
            let parts = groups[group]?.map { "\($0.dropFirst(group.count + 1)) \(counts[$0] ?? 0)" } ?? []
            return "  \(group): \(parts.joined(separator: ", "))"
        }
    }
}
