/// Tasks that wait for a fetch to end, each until its own deadline. Protected by its owner's lock; resumed outside it.
package struct Waiters {
    private var waiting: [UInt64: Waiter] = [:]
    private var next: UInt64 = 0
    /// No deadline is earlier than this.
    package private(set) var earliest: Duration?

    package init() {}

    package struct Waiter {
        fileprivate let continuation: CheckedContinuation<Bool, Never>
        fileprivate let deadline: Duration

        /// - Parameter hasEnded: whether the fetch has ended.
        package func resume(_ hasEnded: Bool) { continuation.resume(returning: hasEnded) }
    }

    package var count: Int { waiting.count }

    mutating func reserve() -> UInt64 {
        next += 1
        return next
    }

    package mutating func add(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>, until deadline: Duration) {
        waiting[number] = Waiter(continuation: continuation, deadline: deadline)
        earliest = min(earliest ?? deadline, deadline)
    }

    package mutating func remove(_ number: UInt64) -> Waiter? { waiting.removeValue(forKey: number) }

    /// Removes the waiters whose deadline has passed.
    package mutating func removeDue(_ now: Duration) -> [Waiter] {
        guard let earliest, now >= earliest else { return [] }
        let due = waiting.filter { $0.value.deadline <= now }
        for number in due.keys { waiting[number] = nil }
        // Deadlines within a millisecond of each other are handled together.
        self.earliest = waiting.values.map(\.deadline).min().map { max($0, now + .milliseconds(1)) }
        return Array(due.values)
    }

    package mutating func removeAll() -> [Waiter] {
        defer {
            waiting.removeAll()
            earliest = nil
        }
        return Array(waiting.values)
    }
}
