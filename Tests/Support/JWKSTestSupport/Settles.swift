/// Lets other tasks run until `condition` holds. No time of a `ManualClock` passes. False if the condition does not hold for five minutes, which
/// leaves a busy machine time to write a file.
public func settles(_ condition: @Sendable () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
        for _ in 0..<1_000 {
            if condition() { return true }
            await Task.yield()
        }
    }
    return condition()
}
