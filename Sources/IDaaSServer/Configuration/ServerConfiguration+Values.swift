internal import HTTPEdge

extension ServerConfiguration {
    /// Checks single values, independent of the listen address.
    ///
    /// - Throws: `ConfigurationError` with the setting's path.
    package func checkValues() throws {
        guard ["RS256", "ES256"].contains(signing.algorithm) else {
            throw ConfigurationError("signing.algorithm: RS256 and ES256 are known, \(signing.algorithm) is not")
        }
        try Self.check("signing.rotationDays", signing.rotationDays, isIn: 1...Self.longest / 86_400)
        try Self.check("signing.publicationHours", signing.publicationHours, isIn: 1...Self.longest / 3_600)
        try Self.check("statusLists.ttlSeconds", statusLists.ttlSeconds, isIn: 1...86_400)
        try Self.check("statusLists.expirySeconds", statusLists.expirySeconds, isIn: statusLists.ttlSeconds...Self.longest)
        try Self.check("signals.maximumAgeSeconds", signals.maximumAgeSeconds, isIn: 60...Self.longest)
        try checkOAuth()
        for (name, span) in lifetimes.all {
            let isCode = ["code", "authorizationCode"].contains(name)
            try Self.check("lifetimes.\(name)", span, isIn: 1...(isCode ? Self.longestCode : Self.longest))
        }
        try checkLimits()
        guard audit.rotateBytes >= 4_096, (0...1_000).contains(audit.keep) else {
            throw ConfigurationError("audit: rotateBytes is at least 4096, keep between 0 and 1000")
        }
        try Self.check("audit.databaseDays", audit.databaseDays, isIn: 1...Self.longest / 86_400)
        guard audit.server.isEmpty || ServerConfiguration.AuditSettings.isServerName(audit.server) else {
            throw ConfigurationError("audit.server: at most 64 letters, digits, hyphens, dots and underscores")
        }
        try Self.check("readiness.minimumFreeBytes", readiness.minimumFreeBytes, isIn: 0...Int.max)
        for (name, count) in connections.counts { try Self.check("connections.\(name)", count, isIn: 1...Self.longest) }
        for (name, span, least) in connections.spans { try Self.check("connections.\(name)", span, isIn: least...Self.longest) }
    }

    private func checkOAuth() throws {
        guard oauth.resources.count <= 64, Set(oauth.resources.map(\.uri)).count == oauth.resources.count else {
            throw ConfigurationError("oauth.resources: at most 64, each URI once")
        }
        for resource in oauth.resources {
            guard RedirectAddress.isAllowed(resource.uri) else {
                throw ConfigurationError("oauth.resources.uri: https, or http on loopback, without a fragment; not \(resource.uri)")
            }
            guard resource.scopes.count <= 64, Set(resource.scopes).count == resource.scopes.count,
                resource.scopes.allSatisfy({ ProtectedResource.isScope($0) && !["openid", "offline_access"].contains($0) })
            else { throw ConfigurationError("oauth.resources.scopes: at most 64 scopes of RFC 6749, but openid and offline_access") }
            // Status lists and signing keys outlast an id_token, and so no other token may live longer.
            let most = Int(lifetimes.idToken.components.seconds)
            try Self.check("oauth.resources.accessTokenSeconds", resource.accessTokenSeconds, isIn: min(30, most)...most)
        }
        guard !oauth.registration && !oauth.clientDocuments || !oauth.loginsOf.isEmpty && !oauth.resources.isEmpty else {
            throw ConfigurationError("oauth: registration and clientDocuments need resources and loginsOf")
        }
        try Self.check("oauth.maximumClients", oauth.maximumClients, isIn: 1...1_000_000)
        try Self.check("oauth.unusedDays", oauth.unusedDays, isIn: 1...365)
        try Self.check("oauth.idleDays", oauth.idleDays, isIn: 1...3_650)
    }

    private func checkLimits() throws {
        for (name, windows) in limits.windows {
            for window in windows {
                try Self.check("limits.\(name): count", window.count, isIn: 0...Int.max)
                try Self.check("limits.\(name): seconds", window.window, isIn: 1...Self.longest)
            }
        }
        try Self.check("limits.captchaLockSeconds", limits.captchaLock, isIn: 1...Self.longest)
        try Self.check("limits.triesPerState", limits.triesPerState, isIn: 1...Int.max)
        try Self.check("limits.triesPerCode", limits.triesPerCode, isIn: 1...Int.max)
        try Self.check("limits.failuresPerDevice", limits.failuresPerDevice, isIn: 1...Self.mostFailures)
        try Self.check("limits.lockSeconds", limits.firstLock, isIn: 1...Self.longest)
        try Self.check("limits.longestLockSeconds", limits.longestLock, isIn: Int(limits.firstLock.components.seconds)...Self.longest)
    }

    private static func check(_ setting: String, _ span: Duration, isIn seconds: ClosedRange<Int>) throws {
        guard span < .seconds(seconds.lowerBound) || span > .seconds(seconds.upperBound) else { return }
        throw ConfigurationError(
            "\(setting): between \(seconds.lowerBound) and \(seconds.upperBound), not \(span.components.seconds)")
    }

    private static func check(_ setting: String, _ value: Int, isIn range: ClosedRange<Int>) throws {
        guard !range.contains(value) else { return }
        let meant = range.upperBound == .max ? "at least \(range.lowerBound)" : "between \(range.lowerBound) and \(range.upperBound)"
        throw ConfigurationError("\(setting): \(meant), not \(value)")
    }

    /// Ten years in seconds. A longer span is a mistake, and this is far below an overflow of instants.
    private static let longest = 3_650 * 86_400
    /// NIST SP 800-63B: an out-of-band secret lasts ten minutes at most.
    private static let longestCode = 600
    /// NIST SP 800-63B section 5.2.2.
    private static let mostFailures = 100
}
