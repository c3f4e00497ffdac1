internal import IDaaSWire

extension LoginFailures {
    /// Counts one wrong code. Enough of them in a row lock the device. Each lock is longer, unless a day has passed since the last lock.
    mutating func add(at now: Timestamp, _ limits: LimitSettings) {
        count += 1
        updated = now
        guard count >= limits.failuresPerDevice else { return }
        if let lockedUntil, lockedUntil + Self.day <= now { locks = 0 }
        lockedUntil = now + Self.lock(after: locks, limits)
        locks += 1
        count = 0
    }

    /// Takes back one counted attempt that was none. It may have been the one that locked the device.
    mutating func removeLast(_ limits: LimitSettings) {
        guard count == 0 else { return count -= 1 }
        guard lockedUntil != nil else { return }
        lockedUntil = nil
        locks = max(0, locks - 1)
        count = limits.failuresPerDevice - 1
    }

    /// LOGIN.1003 with the minutes and seconds left, while the device is locked.
    func refusal(at now: Timestamp) -> ServiceError? {
        guard let lockedUntil, now < lockedUntil else { return nil }
        let left = lockedUntil.secondsUp(from: now)
        let (minutes, seconds) = left.components.seconds.quotientAndRemainder(dividingBy: 60)
        return ServiceError(.locked, "\(minutes)", "\(seconds)", retryAfter: left)
    }

    private static func lock(after locks: Int, _ limits: LimitSettings) -> Duration {
        min(limits.firstLock * (1 << min(locks, 16)), limits.longestLock)
    }

    private static let day = Duration.seconds(86_400)
}
