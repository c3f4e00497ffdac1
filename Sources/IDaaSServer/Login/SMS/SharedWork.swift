/// Shares work in progress by key: a second caller with the same key waits for the first call's work. Cancelling a caller does not cancel
/// the work.
actor SharedWork<Key: Hashable & Sendable, Value: Sendable> {
    private var tasks: [Key: Task<Value, any Error>] = [:]

    func value(of key: Key, _ work: @Sendable @escaping () async throws -> Value) async throws -> Value {
        if let task = tasks[key] { return try await task.value }
        let task = Task {
            defer { tasks[key] = nil }
            return try await work()
        }
        tasks[key] = task
        return try await task.value
    }
}
