/// The order in which a shard's slots were filled, and which is emptied next: SIEVE (Zhang et al., "SIEVE is Simpler than LRU", NSDI 2024).
///
/// A hit marks what it found and moves nothing. A hand goes from the oldest to the newest and over again, takes the mark of what has one,
/// and stops at the first that has none. A list linked by slot numbers, for whoever holds the shard's lock.
struct SieveOrder {
    /// Of each slot the next newer and the next older one, or ``none``.
    private var newer: [Int32]
    private var older: [Int32]
    private var newest = SieveOrder.none
    private var oldest = SieveOrder.none
    private var hand = SieveOrder.none
    private(set) var count = 0

    private static let none: Int32 = -1

    init(slots: Int) {
        newer = Array(repeating: Self.none, count: slots)
        older = newer
    }

    /// Bytes for each slot.
    static let bytesPerSlot = 2 * MemoryLayout<Int32>.stride

    /// Puts a slot that is not in the order at its newest end.
    mutating func insert(_ slot: Int) {
        let slot = Int32(slot)
        newer[Int(slot)] = Self.none
        older[Int(slot)] = newest
        if newest == Self.none { oldest = slot } else { newer[Int(newest)] = slot }
        newest = slot
        count += 1
    }

    /// Takes a slot out of the order. The hand, if it is there, goes on to the next.
    mutating func remove(_ slot: Int) {
        let (newer, older) = (newer[slot], older[slot])
        if hand == Int32(slot) { hand = newer }
        if newer == Self.none { newest = older } else { self.older[Int(newer)] = older }
        if older == Self.none { oldest = newer } else { self.newer[Int(older)] = newer }
        count -= 1
    }

    /// The slot to empty, still in the order; nil where there is none.
    ///
    /// - Parameter takeMark: whether the slot had a mark, which it has no more. Somebody may set it again at once, so that after two
    ///   rounds the next slot is the one.
    mutating func victim(_ takeMark: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        for _ in 0..<(2 * count) {
            if hand == Self.none { hand = oldest }
            guard takeMark(Int(hand)) else { break }
            hand = newer[Int(hand)]
        }
        return Int(hand == Self.none ? oldest : hand)
    }
}
