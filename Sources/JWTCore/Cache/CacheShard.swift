internal import CReadCopyUpdate

/// A part of a cache's table, in which one thread at a time keeps and drops entries. Readers know nothing of it.
///
/// What is dropped waits, and counts, until nobody can be reading it. Whoever keeps an entry never waits for that: there is no room for
/// it then. So that this is rare, entries are dropped ahead of need, a sixteenth of the budget at a time.
final class CacheShard: Sendable {
    private let table: CacheTable
    private let slots: Range<Int>
    /// Bytes that the entries may have, those that wait to be freed among them.
    private let budget: Int
    private let state: Locked<State>

    private struct State {
        var order: SieveOrder
        var doorkeeper: Doorkeeper
        var counts = Counts()
        /// The latest key set of each context that has kept something.
        var serials: [UInt64: UInt64] = [:]
        /// Out of the table, and whether readers still have them not yet asked.
        var dropped = Batch()
        /// Dropped before `grace`.
        var waiting = Batch()
        var grace: UInt64 = 0
    }

    struct Counts {
        var entries = 0
        /// Bytes of entries in the table.
        var bytes = 0
        /// Bytes of entries that wait to be freed.
        var droppedBytes = 0
        var insertions: UInt64 = 0
        var evictions: UInt64 = 0
    }

    private struct Batch {
        var entries: [CacheEntry] = []
        var bytes = 0

        /// After ``VerifiedTokenCache/removeAll()`` that were all entries: memory for so many is given back, as no budget counts it.
        mutating func removeAll() {
            entries.removeAll(keepingCapacity: entries.count <= 256)
            bytes = 0
        }
    }

    static let bytesPerSlot = CacheTable.bytesPerSlot + SieveOrder.bytesPerSlot + Doorkeeper.bytesPerPlace

    init(_ table: CacheTable, slots: Range<Int>, budget: Int) {
        self.table = table
        self.slots = slots
        self.budget = budget
        state = Locked(State(order: SieveOrder(slots: slots.count), doorkeeper: Doorkeeper(places: slots.count)))
    }

    // The cache has removed everything, and nobody reads, because whoever does holds the cache.
    deinit {
        state.withLock { state in
            for entry in state.waiting.entries + state.dropped.entries { unsafe entry.release() }
        }
    }

    /// No entry is larger than what is dropped ahead of need, so that room for one is soon found.
    var largestEntry: Int { budget / 16 }

    /// Keeps an entry of `byteCount` bytes under `key`, made by `make`, unless the token is here for the first time, there is no room, or
    /// another thread is at it.
    ///
    /// - Parameters:
    ///   - mayKeep: asked under the lock.
    ///   - isSame: whether an entry is the same token's, under the same context.
    ///   - isCurrent: whether such an entry is as good as the new one.
    func keep(
        _ key: CacheEntry.Key, byteCount: Int, mayKeep: () -> Bool, isSame: (CacheEntry) -> Bool, isCurrent: (CacheEntry) -> Bool,
        make: () -> CacheEntry?
    ) {
        guard byteCount <= largestEntry else { return }
        _ = state.withLockIfFree { state in
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

    /// Drops every entry. Waits for whoever keeps one at this moment.
    func removeAll() {
        state.withLock { state in
            while let slot = state.order.victim({ _ in false }) { drop(slots.lowerBound + slot, &state) }
            free(&state)
            beginGrace(&state)
            free(&state)
        }
    }

    var counts: Counts { state.withLock(\.counts) }

    /// Keeps everybody out across a fork.
    func lock() { state.lock() }

    func unlock() { state.unlock() }

    /// Drops what the context of `key` verified with older sets: no reader takes that any more, and its memory may hold tokens. Those are
    /// kept again at their next sight.
    private func dropReplaced(_ key: CacheEntry.Key, _ state: inout State) {
        let latest = state.serials[key.context]
        guard latest ?? 0 < key.keySetSerial else { return }
        // One that makes a verifier for each token must not fill the memory with what they were called.
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

    /// Sees to it that `byteCount` more bytes are within the budget; false where readers stand against it.
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

    /// An empty slot for `hash`; where its bucket is full, one of it that was of no use lately, or else the oldest verdict's, and then all
    /// of the bucket have to be of use again.
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

    /// Asks readers about what was dropped, unless they have been asked about others and not answered.
    private func beginGrace(_ state: inout State) {
        guard state.waiting.entries.isEmpty, !state.dropped.entries.isEmpty else { return }
        swap(&state.waiting, &state.dropped)
        state.grace = crcu_grace_begin()
    }

    /// Frees what nobody reads any more.
    private func free(_ state: inout State) {
        guard !state.waiting.entries.isEmpty, crcu_grace_is_over(state.grace) == 1 else { return }
        for entry in state.waiting.entries { unsafe entry.release() }
        state.counts.droppedBytes -= state.waiting.bytes
        state.waiting.removeAll()
    }
}
