public import JWTCore

/// A memory that answers without waiting.
public protocol ImmediateReplayMemory: ReplayMemory {
    /// Uses `identifier`, as any memory does, without waiting.
    ///
    /// - Parameters:
    ///   - identifier: what is used.
    ///   - end: from this date on the caller refuses the thing for its age.
    ///   - now: the caller's date.
    /// - Returns: whether this is the first use.
    /// - Throws: ``ReplayMemoryError``.
    func useNow(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) throws(ReplayMemoryError) -> ReplayUse
}

extension ImmediateReplayMemory {
    public func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) async throws(ReplayMemoryError) -> ReplayUse {
        try useNow(identifier, until: end, now: now)
    }
}
