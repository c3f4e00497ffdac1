internal import CReadCopyUpdate
internal import Locks

extension KeyTables {
    /// Removes the table of the first key under the hand that was not used since the hand last passed. If busy cores mark all keys again,
    /// removes the first one's.
    static func evict(_ state: inout State, sparing spared: KeySlot? = nil) -> Bool {
        let rounds = 2 * state.residents.count
        for step in 0..<(rounds + 2) where !state.residents.isEmpty {
            state.hand = state.hand + 1 < state.residents.count ? state.hand + 1 : 0
            let slot = state.residents[state.hand]
            if slot === spared || slot.takeRecentUse() && step < rounds { continue }
            retire(slot.replaceTable(nil), &state)
            slot.noteEviction()
            remove(slot, from: &state.residents, \.residence)
            return true
        }
        return false
    }

    static func evictBeyondBudget(_ state: inout State) {
        while state.bytes > state.budget, evict(&state) {}
    }

    /// Removes a slot whose key is gone, with its table.
    static func remove(_ slot: KeySlot, _ state: inout State) {
        state.bytes -= slot.tableBytes
        remove(slot, from: &state.residents, \.residence)
        remove(slot, from: &state.slots, \.place)
        slot.freeTable()
    }

    /// Removes a slot from a list by moving the last one to its position.
    private static func remove(_ slot: KeySlot, from list: inout [KeySlot], _ position: ReferenceWritableKeyPath<KeySlot, Int?>) {
        guard let free = slot[keyPath: position] else { return }
        slot[keyPath: position] = nil
        let last = list.removeLast()
        guard free < list.count else { return }
        list[free] = last
        last[keyPath: position] = free
    }

    static func retire(_ table: KeyTable?, _ state: inout State) {
        guard let table else { return }
        state.bytes -= table.header.byteCount
        state.retired.append((crcu_grace_begin(), table))
    }

    /// Frees the tables without readers. Never waits.
    func reclaim() {
        state.withLock { state in
            state.retired.removeAll { entry in
                guard crcu_grace_is_over(entry.grace) == 1 else { return false }
                // SAFETY: replaced before the grace period, which has ended, so no reader has it.
                unsafe entry.table.free()
                return true
            }
        }
    }
}
