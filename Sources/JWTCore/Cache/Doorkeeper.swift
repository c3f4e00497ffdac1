/// Lets in at its second sight what was seen before: tokens that come once, however many, put nothing out of a cache.
///
/// A place for each of a number of hashes. One that finds its four places taken overwrites any of them: so it forgets by itself what did
/// not come back within about as many others as it has places, and no two that come by turns keep each other out for good, as they would
/// if the oldest had to go. For whoever holds the shard's lock.
struct Doorkeeper {
    private var seen: [UInt32]
    private var dice: UInt64 = 1

    /// - Parameter places: a power of two, at least ``ways``.
    init(places: Int) { seen = Array(repeating: 0, count: max(places, Self.ways)) }

    static let bytesPerPlace = MemoryLayout<UInt32>.stride
    private static let ways = 4

    /// Whether `hash` was here, and is remembered no more; otherwise remembers it.
    mutating func admits(_ hash: UInt64) -> Bool {
        if let place = place(of: hash) {
            seen[place] = 0
            return true
        }
        remember(hash)
        return false
    }

    /// Lets `hash` in when it is seen next.
    mutating func remember(_ hash: UInt64) {
        guard place(of: hash) == nil else { return }
        let places = places(for: hash)
        seen[places.first { seen[$0] == 0 } ?? places.lowerBound + roll()] = Self.trace(hash)
    }

    private func place(of hash: UInt64) -> Int? {
        let trace = Self.trace(hash)
        return places(for: hash).first { seen[$0] == trace }
    }

    /// By other bits of the hash than choose the shard and the bucket.
    private func places(for hash: UInt64) -> Range<Int> {
        let first = Int(truncatingIfNeeded: hash >> 8) & (seen.count - 1) & ~(Self.ways - 1)
        return first..<first + Self.ways
    }

    /// Never zero, which is an empty place's.
    private static func trace(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) | 1 }

    /// Any of the ways: the upper bits of a linear congruential generator (Knuth, MMIX).
    private mutating func roll() -> Int {
        dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: dice >> 60) & (Self.ways - 1)
    }
}
