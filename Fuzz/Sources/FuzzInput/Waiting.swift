import Dispatch

/// Waits for asynchronous work: libFuzzer's test is a plain function.
public enum Waiting {
    public static func value<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let isDone = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var value: Value?
        Task {
            value = await work()
            isDone.signal()
        }
        isDone.wait()
        guard let value else { preconditionFailure("work without a value") }
        return value
    }
}
