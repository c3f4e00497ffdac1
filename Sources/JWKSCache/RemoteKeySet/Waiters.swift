/// Tasks that wait for a fetch to end, each until its own moment. A value behind the key set's lock; they are resumed outside it.
struct Waiters {
    private var waiting: [UInt64: Waiter] = [:]
    private var next: UInt64 = 0
    /// Nobody's moment comes before this.
    private(set) var earliest: Duration?

    struct Waiter {
        fileprivate let continuation: CheckedContinuation<Bool, Never>
        fileprivate let deadline: Duration

        /// - Parameter hasEnded: whether the fetch has.
        func resume(_ hasEnded: Bool) { continuation.resume(returning: hasEnded) }
    }

    var count: Int { waiting.count }

    mutating func reserve() -> UInt64 {
        next += 1
        return next
    }

    mutating func add(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>, until deadline: Duration) {
        waiting[number] = Waiter(continuation: continuation, deadline: deadline)
        earliest = min(earliest ?? deadline, deadline)
    }

    mutating func remove(_ number: UInt64) -> Waiter? { waiting.removeValue(forKey: number) }

    /// Takes those out whose moment has come.
    mutating func removeDue(_ now: Duration) -> [Waiter] {
        guard let earliest, now >= earliest else { return [] }
        let due = waiting.filter { $0.value.deadline <= now }
        for number in due.keys { waiting[number] = nil }
        // Those that come one after the other within a millisecond go together.
        self.earliest = waiting.values.map(\.deadline).min().map { max($0, now + .milliseconds(1)) }
        return Array(due.values)
    }

    mutating func removeAll() -> [Waiter] {
        defer {
            waiting.removeAll()
            earliest = nil
        }
        return Array(waiting.values)
    }
}
