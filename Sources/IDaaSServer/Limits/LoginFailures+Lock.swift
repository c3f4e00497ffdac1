#if IDaaS
extension LoginFailures {
    /// One wrong code more. Enough of them in a row lock the number: longer each time, unless a day has gone by since the last lock.
    mutating func add(at now: Timestamp, _ limits: LimitSettings) {
        count += 1
        updated = now
        guard count >= limits.failuresPerNumber else { return }
        if let lockedUntil, lockedUntil + Self.day <= now { locks = 0 }
        lockedUntil = now + Self.lockSeconds(after: locks, limits)
        locks += 1
        count = 0
    }

    /// LOGIN.1003 with the minutes and seconds that are left, while the number is locked.
    func refusal(at now: Timestamp) -> ServiceError? {
        guard let lockedUntil, now < lockedUntil else { return nil }
        let seconds = lockedUntil.secondsUp(from: now)
        return ServiceError(.locked, "\(seconds / 60)", "\(seconds % 60)", retryAfter: seconds)
    }

    private static func lockSeconds(after locks: Int, _ limits: LimitSettings) -> Int {
        let doublings = min(locks, 16)
        return min(limits.lockSeconds << doublings, limits.longestLockSeconds)
    }

    private static let day = 86_400
}
#endif
