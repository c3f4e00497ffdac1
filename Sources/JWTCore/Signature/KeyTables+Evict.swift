internal import CReadCopyUpdate

extension KeyTables {
    /// Takes its table from the first key under the hand that was not used since the hand last passed, or, where busy cores mark them all
    /// anew, from the first.
    static func evict(_ state: inout State, sparing key: KernelKey? = nil) -> Bool {
        let rounds = unsafe 2 * state.residents.count
        for step in 0..<(rounds + 2) where unsafe !state.residents.isEmpty {
            state.hand = unsafe state.hand + 1 < state.residents.count ? state.hand + 1 : 0
            // SAFETY: listed, so not yet past its deinit, which waits for this lock.
            let candidate = unsafe state.residents[state.hand]._withUnsafeGuaranteedRef { candidate in
                let isSpared = candidate === key || candidate.takeRecentUse() && step < rounds
                return unsafe isSpared ? nil : Optional(unsafe Unmanaged.passUnretained(candidate))
            }
            guard let candidate = unsafe candidate else { continue }
            unsafe candidate._withUnsafeGuaranteedRef { candidate in
                retire(candidate.replaceTable(nil), &state)
                candidate.evictions += 1
                remove(candidate, &state)
            }
            return true
        }
        return false
    }

    static func evictBeyondBudget(_ state: inout State) {
        while state.bytes > state.budget, evict(&state) {}
    }

    private static func remove(_ key: KernelKey, _ state: inout State) {
        guard let place = key.residence else { return }
        key.residence = nil
        let last = unsafe state.residents.removeLast()
        guard unsafe place < state.residents.count else { return }
        unsafe state.residents[place] = last
        unsafe last._withUnsafeGuaranteedRef { $0.residence = place }
    }

    /// Called by a key in its deinit: its table goes with it.
    func forget(_ key: KernelKey) {
        state.withLock { state in
            state.bytes -= key.tableBytes
            Self.remove(key, &state)
        }
    }

    static func retire(_ table: KeyTable?, _ state: inout State) {
        guard let table else { return }
        state.bytes -= table.header.byteCount
        state.retired.append((crcu_grace_begin(), table))
    }

    /// Frees the tables that nobody reads any more. Never waits.
    func reclaim() {
        state.withLock { state in
            state.retired.removeAll { entry in
                guard crcu_grace_is_over(entry.grace) == 1 else { return false }
                unsafe entry.table.free()
                return true
            }
        }
    }
}
