internal import JWKSCache

/// Bounds what foreign code takes.
enum Deadline {
    /// The value of `body`; nil if it takes longer. A body that ignores its cancellation goes on, and its value is ignored.
    static func race<Value: Sendable>(
        _ clock: any ElapsedClock, _ limit: Duration, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (values, continuation) = AsyncStream.makeStream(of: Value?.self)
        let end = clock.elapsed + limit
        let work = Task { continuation.yield(await body()) }
        let timer = Task {
            await clock.sleep(until: end)
            if !Task.isCancelled { continuation.yield(nil) }
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for await value in values { return value }
        return nil
    }
}
