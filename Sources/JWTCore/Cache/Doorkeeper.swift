/// Admits a hash the second time it is seen. So tokens that are used only once never evict cached ones.
///
/// It remembers a fixed number of hashes. If the four places for a new hash are taken, a random one of them is overwritten. So a hash is
/// forgotten unless it comes back within about as many others as there are places, and hashes that alternate cannot keep each other out for
/// ever, as they would if the oldest were always overwritten. Callers hold the shard's lock.
package struct Doorkeeper {
    private var seen: [UInt32]
    private var dice: UInt64 = 1

    /// - Parameter places: a power of two, at least ``ways``.
    package init(places: Int) { seen = Array(repeating: 0, count: max(places, Self.ways)) }

    package static let bytesPerPlace = MemoryLayout<UInt32>.stride
    private static let ways = 4

    /// Whether `hash` was remembered, and then forgets it; otherwise remembers it.
    package mutating func admits(_ hash: UInt64) -> Bool {
        if let place = place(of: hash) {
            seen[place] = 0
            return true
        }
        remember(hash)
        return false
    }

    /// Admits `hash` the next time it is seen.
    mutating func remember(_ hash: UInt64) {
        guard place(of: hash) == nil else { return }
        let places = places(for: hash)
        seen[places.first { seen[$0] == 0 } ?? places.lowerBound + roll()] = Self.trace(hash)
    }

    private func place(of hash: UInt64) -> Int? {
        let trace = Self.trace(hash)
        return places(for: hash).first { seen[$0] == trace }
    }

    /// Uses other bits of the hash than the choice of shard and bucket.
    private func places(for hash: UInt64) -> Range<Int> {
        let first = Int(truncatingIfNeeded: hash >> 8) & (seen.count - 1) & ~(Self.ways - 1)
        return first..<first + Self.ways
    }

    /// Never zero, which marks an empty place.
    private static func trace(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) | 1 }

    /// A random place: the upper bits of a linear congruential generator (Knuth, MMIX).
    private mutating func roll() -> Int {
        dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: dice >> 60) & (Self.ways - 1)
    }
}
