internal import Secrets
internal import Synchronization

extension Randomness {
    /// The same bytes for the same seed (SplitMix64).
    static func seeded(_ seed: Int) -> Randomness {
        let counter = Counter()
        let start = mixed(UInt64(seed))
        return Randomness { count in
            (0..<count).map { _ in
                let step = counter.next()
                return UInt8(truncatingIfNeeded: mixed(start &+ step &* 0x9e37_79b9_7f4a_7c15) >> 24)
            }
        }
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9e37_79b9_7f4a_7c15
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}

/// The number of bytes from a seed.
private final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
