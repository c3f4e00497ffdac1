internal import Synchronization

/// The slots whose keys are gone, until the tables take them back. Any thread adds one without a lock.
@safe
struct DepartedSlots: ~Copyable, @unchecked Sendable {
    // SAFETY: each pointer is a slot that `add` retained; `takeEach` takes the whole list, so no slot is in it twice.
    private let first = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

    func add(_ slot: KeySlot) {
        let start = unsafe Unmanaged.passRetained(slot).toOpaque()
        var next = unsafe first.load(ordering: .relaxed)
        while true {
            unsafe slot.nextDeparted = next
            let (isDone, current) = unsafe first.weakCompareExchange(
                expected: next, desired: start, successOrdering: .releasing, failureOrdering: .relaxed)
            if isDone { return }
            unsafe next = current
        }
    }

    /// Empties the list, and passes each slot to `body`.
    func takeEach(_ body: (KeySlot) -> Void) {
        var next = unsafe first.exchange(nil, ordering: .acquiring)
        while let start = unsafe next {
            let slot = unsafe Unmanaged<KeySlot>.fromOpaque(start).takeRetainedValue()
            unsafe next = slot.nextDeparted
            body(slot)
        }
    }
}
