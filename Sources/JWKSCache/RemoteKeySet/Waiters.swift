/// Tasks that wait for a fetch to end. A value behind the key set's lock; they are resumed outside it.
struct Waiters {
    private var waiting: [UInt64: Waiter] = [:]
    private var next: UInt64 = 0

    struct Waiter {
        let continuation: CheckedContinuation<Bool, Never>
        var timer: Task<Void, Never>?

        func resume(_ hasEnded: Bool) {
            timer?.cancel()
            continuation.resume(returning: hasEnded)
        }
    }

    var count: Int { waiting.count }

    mutating func reserve() -> UInt64 {
        next += 1
        return next
    }

    mutating func add(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>) {
        waiting[number] = Waiter(continuation: continuation)
    }

    /// Attaches the timer that will give the waiter up; false if it waits no longer.
    mutating func attach(_ timer: Task<Void, Never>, to number: UInt64) -> Bool {
        waiting[number]?.timer = timer
        return waiting[number] != nil
    }

    mutating func remove(_ number: UInt64) -> Waiter? { waiting.removeValue(forKey: number) }

    mutating func removeAll() -> [Waiter] {
        defer { waiting.removeAll() }
        return Array(waiting.values)
    }
}
