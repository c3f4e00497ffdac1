internal import Gateway
internal import JWKSCache
internal import JWTCore

extension GatewaySettings {
    /// Whether the files that the settings name can be used. A host learns it before it takes the settings; a file that changes later is the
    /// key cache's to judge.
    ///
    /// - Parameter knowsFolder: whether relative paths count from where they will.
    /// - Throws: `SettingsFailure` with every fault.
    func checkFiles(knowsFolder: Bool) throws(SettingsFailure) {
        var faults: [SettingsFault] = []
        for (place, provider) in configuration.providers.enumerated() where provider.issuer.failover.isEmpty {
            for path in provider.issuers.compactMap(\.source.path) where knowsFolder || path.hasPrefix("/") {
                guard let fault = Self.fault(ofKeys: path) else { continue }
                faults.append(SettingsFault(line: 0, .unreadable, "`providers[\(place + 1)].keys.file`: \(fault): \(path)"))
            }
        }
        guard faults.isEmpty else { throw SettingsFailure(faults) }
        if let path = revocationFile, knowsFolder || path.hasPrefix("/") { _ = try RevocationFile(path).load() }
    }

    /// Whether the log of revocations can be used. Only for a check of the settings without a gateway: the log may
    /// be large, and a gateway reads it when it is made.
    ///
    /// - Throws: `SettingsFailure`.
    func checkLog() throws(SettingsFailure) {
        guard let path = revocationLog, path.hasPrefix("/") else { return }
        try FollowedLog(path).load(into: Revocations(), date: SystemClock().now)
    }

    private static func fault(ofKeys path: String) -> String? {
        guard let content = try? RegularFile.read(path, limit: KeySet.maximumBytes) else { return "cannot be read" }
        do throws(RefreshFailure) {
            return try KeyDocument(local: content, reusing: nil).hasUsableKey ? nil : "has no usable key"
        } catch {
            return "is \(error)"
        }
    }
}
