internal import CReadCopyUpdate
internal import Locks

/// A part of a cache's table. One thread at a time inserts and removes entries in it; readers do not use it.
///
/// A removed entry is freed when it has no readers, and counts against the budget until then. An inserting thread never waits for that: if
/// there is no room, it drops its entry. To make this rare, entries are removed early, a sixteenth of the budget at a time.
final class CacheShard: Sendable {
    private let table: CacheTable
    private let slots: Range<Int>
    /// Bytes for all entries, including those that wait to be freed.
    private let budget: Int
    /// Whether an inserting thread waits for another one; otherwise it gives up.
    private let waits: Bool
    private let state: Locked<State>

    private struct State {
        var order: SieveOrder
        var doorkeeper: Doorkeeper
        var counts = Counts()
        /// The latest key set of each context that has inserted something.
        var serials: [UInt64: UInt64] = [:]
        /// Removed from the table. The grace period that proves they have no readers has not begun.
        var dropped = Batch()
        /// Removed before `grace` began.
        var waiting = Batch()
        var grace: UInt64 = 0
    }

    struct Counts {
        var entries = 0
        /// Bytes of entries in the table.
        var bytes = 0
        /// Bytes of the entries that wait to be freed.
        var droppedBytes = 0
        var insertions: UInt64 = 0
        var evictions: UInt64 = 0
    }

    private struct Batch {
        var entries: [CacheEntry] = []
        var bytes = 0

        /// After ``VerifiedTokenCache/removeAll()`` these arrays held every entry. No budget counts their memory, so it is freed.
        mutating func removeAll() {
            entries.removeAll(keepingCapacity: entries.count <= 256)
            bytes = 0
        }
    }

    static let bytesPerSlot = CacheTable.bytesPerSlot + SieveOrder.bytesPerSlot + Doorkeeper.bytesPerPlace

    init(_ table: CacheTable, slots: Range<Int>, budget: Int, waits: Bool) {
        self.waits = waits
        self.table = table
        self.slots = slots
        self.budget = budget
        state = Locked(State(order: SieveOrder(slots: slots.count), doorkeeper: Doorkeeper(places: slots.count)))
    }

    deinit {
        state.withLock { state in
            // SAFETY: a reader retains the cache, which has removed every entry and released this, so there are no readers.
            for entry in state.waiting.entries + state.dropped.entries { unsafe entry.release() }
        }
    }

    /// No entry is larger than the amount removed early, so that room for one is soon found.
    var largestEntry: Int { budget / 16 }

    /// Inserts an entry of `byteCount` bytes under `key`, built by `make`, unless the token is seen for the first time, there is no room,
    /// or another thread is inserting.
    ///
    /// - Parameters:
    ///   - mayKeep: asked under the lock.
    ///   - isSame: whether an entry belongs to the same token under the same context.
    ///   - isCurrent: whether such an entry is as good as the new one.
    func keep(
        _ key: CacheEntry.Key, byteCount: Int, mayKeep: () -> Bool, isSame: (CacheEntry) -> Bool, isCurrent: (CacheEntry) -> Bool,
        make: () -> CacheEntry?
    ) {
        guard byteCount <= largestEntry else { return }
        _ = state.withLockIfFree(orWaiting: waits) { state in
            guard mayKeep() else { return }
            if let (slot, entry) = table.first(key.hash, where: isSame) {
                guard !isCurrent(entry) else { return }
                drop(slot, &state)
            } else if !state.doorkeeper.admits(key.hash) {
                return
            }
            dropReplaced(key, &state)
            guard makeRoom(byteCount, &state), let entry = make() else { return }
            let slot = slot(for: key.hash, &state)
            table.fill(slot, with: entry)
            state.order.insert(slot - slots.lowerBound)
            state.counts.entries += 1
            state.counts.bytes += entry.byteCount
            state.counts.insertions += 1
        }
    }

    /// Removes every entry. Waits for a thread that is inserting one.
    func removeAll() {
        state.withLock { state in
            while let slot = state.order.victim({ _ in false }) { drop(slots.lowerBound + slot, &state) }
            free(&state)
            beginGrace(&state)
            free(&state)
        }
    }

    var counts: Counts { state.withLock(\.counts) }

    /// Takes the lock before a fork.
    func lock() { state.lock() }

    func unlock() { state.unlock() }

    /// Removes the entries that the context of `key` verified with older sets. No reader accepts them any more, and their memory may be
    /// filled with tokens. Such a token is inserted again the next time it is seen.
    private func dropReplaced(_ key: CacheEntry.Key, _ state: inout State) {
        let latest = state.serials[key.context]
        guard latest ?? 0 < key.keySetSerial else { return }
        // A program that makes a verifier for each token must not fill memory with context numbers.
        if state.serials.count >= Self.mostSerials { state.serials.removeAll() }
        state.serials[key.context] = key.keySetSerial
        guard latest != nil else { return }
        for slot in slots {
            guard let old = table.entry(at: slot)?.key, old.context == key.context, old.keySetSerial < key.keySetSerial else { continue }
            drop(slot, &state)
            state.doorkeeper.remember(old.hash)
        }
    }

    private static let mostSerials = 64

    // Room

    /// Makes room for `byteCount` more bytes within the budget; false if entries still have readers.
    private func makeRoom(_ byteCount: Int, _ state: inout State) -> Bool {
        free(&state)
        let room = budget - budget / 8
        if state.counts.bytes + byteCount > room {
            while state.counts.bytes + byteCount > room - budget / 16, evict(&state) {}
        }
        if state.dropped.bytes >= budget / 16 {
            beginGrace(&state)
            free(&state)
        }
        return state.counts.bytes + state.counts.droppedBytes + byteCount <= budget
    }

    /// An empty slot for `hash`. If its bucket is full, removes an entry without a mark; if all are marked, removes the one with the oldest
    /// verdict and clears the marks of the bucket.
    private func slot(for hash: UInt64, _ state: inout State) -> Int {
        if let slot = table.emptySlot(for: hash) { return slot }
        let slots = table.slots(for: hash)
        let idle = slots.first { !(table.entry(at: $0)?.isMarked ?? false) }
        let slot = idle ?? slots.min { verifiedAt($0) < verifiedAt($1) } ?? slots.lowerBound
        if idle == nil { for slot in slots { _ = table.entry(at: slot)?.takeMark() } }
        state.counts.evictions += 1
        drop(slot, &state)
        return slot
    }

    private func verifiedAt(_ slot: Int) -> Int64 { table.entry(at: slot)?.facts.verifiedAt ?? .min }

    private func evict(_ state: inout State) -> Bool {
        let victim = state.order.victim { table.entry(at: slots.lowerBound + $0)?.takeMark() ?? false }
        guard let victim else { return false }
        state.counts.evictions += 1
        drop(slots.lowerBound + victim, &state)
        return true
    }

    private func drop(_ slot: Int, _ state: inout State) {
        guard let entry = table.entry(at: slot) else { return }
        table.empty(slot)
        state.order.remove(slot - slots.lowerBound)
        state.counts.entries -= 1
        state.counts.bytes -= entry.byteCount
        state.counts.droppedBytes += entry.byteCount
        state.dropped.entries.append(entry)
        state.dropped.bytes += entry.byteCount
    }

    // Freeing

    /// Starts a grace period for the removed entries, unless an earlier one has not ended.
    private func beginGrace(_ state: inout State) {
        guard state.waiting.entries.isEmpty, !state.dropped.entries.isEmpty else { return }
        swap(&state.waiting, &state.dropped)
        state.grace = crcu_grace_begin()
    }

    /// Frees the entries that have no readers left.
    private func free(_ state: inout State) {
        guard !state.waiting.entries.isEmpty, crcu_grace_is_over(state.grace) == 1 else { return }
        // SAFETY: removed from the table before the grace period, which has ended, so no reader has them.
        for entry in state.waiting.entries { unsafe entry.release() }
        state.counts.droppedBytes -= state.waiting.bytes
        state.waiting.removeAll()
    }
}
