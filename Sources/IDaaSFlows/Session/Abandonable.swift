/// Waits for a task that other callers also wait for.
enum Abandonable {
    /// The task's value; nil as soon as the waiting task is cancelled. The awaited task continues.
    static func value<Value: Sendable>(of task: Task<Value, Never>) async -> Value? {
        let (values, continuation) = AsyncStream.makeStream(of: Value.self)
        Task { continuation.yield(await task.value) }
        return await values.first { _ in true }
    }
}
