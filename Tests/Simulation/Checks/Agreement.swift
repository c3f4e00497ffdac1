import JWKSCache
import JWTCore

/// Checks that the key cache accepts the right keys and reuses unchanged ones (invariants 4 to 6 and 8).
struct Agreement {
    private let thumbprints: [String]
    private(set) var keys: KeySet?
    private var number: UInt64 = 0

    init(_ pool: KeyPool) { thumbprints = pool.thumbprints }

    /// - Parameter lent: the set whose keys should be reused.
    mutating func check(_ core: KeySetCore, _ belief: Belief, lent: KeySet? = nil, _ now: Duration) throws(Violation) {
        let isUsable = belief.isUsable(at: now), remembered = core.state.probes.remembered
        try expect(core.state.hasKeys(now) == isUsable, 5, isUsable ? "there should be keys" : "the keys should have ended")
        try expect((core.keys == nil) == (belief.keys == nil), 5, "keys at hand: \(core.keys != nil), not \(belief.keys != nil)")
        try expect(core.state.generation == belief.number, 6, "generation \(core.state.generation), not \(belief.number)")
        try expect(remembered <= 4_096, 8, "\(remembered) key ids are remembered")
        defer { (keys, number) = (core.keys, belief.number) }
        if belief.number == number {
            try expect(core.keys === keys, 6, "another object for the same keys")
        } else if let keys = core.keys, let believed = belief.keys {
            try compare(keys, believed)
            if let lent { try compareObjects(keys, lent) }
        }
    }

    private func compare(_ keys: KeySet, _ believed: Set<PublishedKey>) throws(Violation) {
        let expected = Set(believed.map { key in "\(key.name)/\(key.material.map { thumbprints[$0] } ?? "")" })
        let found = keys.keys.map { "\($0.keyID ?? "")/\($0.unusableReason == nil ? $0.thumbprint ?? "" : "")" }
        try expect(found.count == expected.count && Set(found) == expected, 4, "believed: \(found.sorted()), not \(expected.sorted())")
    }

    private func compareObjects(_ keys: KeySet, _ lent: KeySet) throws(Violation) {
        for key in keys.keys {
            guard let former = lent.keys.first(where: { $0.identity == key.identity }) else { continue }
            try expect(former === key, 6, "\(key.keyID ?? "") was prepared anew")
        }
    }
}
