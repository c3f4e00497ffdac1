/// The order in which a shard's slots were filled, and the choice of the next to empty: SIEVE (Zhang et al., "SIEVE is Simpler than LRU",
/// NSDI 2024).
///
/// A hit marks its slot and moves nothing. A hand goes from the oldest slot to the newest and starts again. It clears each mark it finds
/// and stops at the first slot without one. A list linked by slot numbers. Callers hold the shard's lock.
package struct SieveOrder {
    /// For each slot its newer and its older neighbour, or ``none``.
    private var newer: [Int32]
    private var older: [Int32]
    private var newest = SieveOrder.none
    private var oldest = SieveOrder.none
    private var hand = SieveOrder.none
    private(set) var count = 0

    private static let none: Int32 = -1

    package init(slots: Int) {
        newer = Array(repeating: Self.none, count: slots)
        older = newer
    }

    /// Bytes per slot.
    static let bytesPerSlot = 2 * MemoryLayout<Int32>.stride

    /// Inserts a new slot as the newest.
    package mutating func insert(_ slot: Int) {
        let slot = Int32(slot)
        newer[Int(slot)] = Self.none
        older[Int(slot)] = newest
        if newest == Self.none { oldest = slot } else { newer[Int(newest)] = slot }
        newest = slot
        count += 1
    }

    /// Removes a slot. If the hand is on it, the hand moves to the next.
    package mutating func remove(_ slot: Int) {
        let (newer, older) = (newer[slot], older[slot])
        if hand == Int32(slot) { hand = newer }
        if newer == Self.none { newest = older } else { self.older[Int(newer)] = older }
        if older == Self.none { oldest = newer } else { self.newer[Int(older)] = newer }
        count -= 1
    }

    /// The slot to empty, which stays in the order; nil if the order is empty.
    ///
    /// - Parameter takeMark: clears a slot's mark and returns whether it had one. A reader may set the mark again immediately; so after two
    ///   rounds the next slot is chosen.
    package mutating func victim(_ takeMark: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        for _ in 0..<(2 * count) {
            if hand == Self.none { hand = oldest }
            guard takeMark(Int(hand)) else { break }
            hand = newer[Int(hand)]
        }
        return Int(hand == Self.none ? oldest : hand)
    }
}
