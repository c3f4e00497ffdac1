#if IDaaS
/// Work that is under way, by what it is for: who asks for the same waits for it. It goes on when those who wait are cancelled.
actor Flights<Key: Hashable & Sendable, Value: Sendable> {
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
#endif
