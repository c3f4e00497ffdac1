/// Lets other tasks run until `condition` holds. No time passes; false if it never holds.
public func settles(_ condition: @Sendable () -> Bool) async -> Bool {
    for _ in 0..<200_000 {
        if condition() { return true }
        await Task.yield()
    }
    return false
}
