#if IDaaS
extension ServerConfiguration {
    /// What has to hold of single values, wherever the server listens.
    ///
    /// - Throws: `ConfigurationError` with the setting's path.
    package func checkValues() throws {
        guard ["RS256", "ES256"].contains(signing.algorithm) else {
            throw ConfigurationError("signing.algorithm: RS256 and ES256 are known, \(signing.algorithm) is not")
        }
        try Self.check("signing.rotationDays", signing.rotationDays, isIn: 1...Self.longest / 86_400)
        try Self.check("signing.publicationHours", signing.publicationHours, isIn: 1...Self.longest / 3_600)
        for (name, seconds) in lifetimes.all { try Self.check("lifetimes.\(name)", seconds, isIn: 1...Self.longest) }
        try checkLimits()
        guard audit.rotateBytes >= 4_096, (0...1_000).contains(audit.keep) else {
            throw ConfigurationError("audit: rotateBytes is at least 4096, keep between 0 and 1000")
        }
        guard connections.maximum > 0, connections.idleSeconds > 0, connections.drainSeconds >= 0 else {
            throw ConfigurationError("connections: maximum and idleSeconds are above 0")
        }
    }

    private func checkLimits() throws {
        for (name, windows) in limits.windows {
            for window in windows {
                try Self.check("limits.\(name): count", window.count, isIn: 0...Int.max)
                try Self.check("limits.\(name): seconds", window.seconds, isIn: 1...Self.longest)
            }
        }
        try Self.check("limits.captchaLockSeconds", limits.captchaLockSeconds, isIn: 1...Self.longest)
        try Self.check("limits.triesPerCode", limits.triesPerCode, isIn: 1...Int.max)
        try Self.check("limits.failuresPerNumber", limits.failuresPerNumber, isIn: 1...Int.max)
        try Self.check("limits.lockSeconds", limits.lockSeconds, isIn: 1...Self.longest)
        try Self.check("limits.longestLockSeconds", limits.longestLockSeconds, isIn: 1...Self.longest)
    }

    private static func check(_ setting: String, _ value: Int, isIn range: ClosedRange<Int>) throws {
        guard !range.contains(value) else { return }
        let meant = range.upperBound == .max ? "at least \(range.lowerBound)" : "between \(range.lowerBound) and \(range.upperBound)"
        throw ConfigurationError("\(setting): \(meant), not \(value)")
    }

    /// Ten years in seconds: whatever is longer is a slip of the pen, and far from where instants overflow.
    private static let longest = 3_650 * 86_400
}
#endif
