#if Gateway
public import Gateway
internal import HTTPEdge

extension ServiceConfiguration {
    /// Reads and checks a configuration file with those that it includes. Relative paths in all of them count from its folder.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - environment: the variables that texts may name (`${NAME}`); nil: those of this process.
    /// - Throws: `SettingsFailure` with every fault.
    public init(file path: String, environment: [String: String]? = nil) throws(SettingsFailure) {
        let text: String
        do {
            text = try SettingsFile.text(path)
        } catch {
            throw SettingsFailure([error])
        }
        try self.init(
            yaml: text, folder: SettingsFile.folder(of: path), includesIn: SettingsFile.namedFolder(of: path), environment: environment)
        let transports = [transport] + providerTransports.values + (signals?.streams.map(\.transport) ?? [])
        let named = (revocationFile.map { [$0] } ?? []) + decisions.providers.flatMap(\.keyFiles) + transports.flatMap(\.files)
        let files = [path] + included + named
        remarks += Self.remarks(files.filter(SettingsFile.isWritableByAll), "everyone on this machine may change the file")
        remarks += Self.remarks(
            (transports.flatMap(\.secretFiles) + (signals?.secretFiles ?? []) + replay.secretFiles
                + decisions.providers.compactMap(\.introspection?.secretFile)).filter(SettingsFile.isReadableByAll),
            "everyone on this machine may read the file")
    }

    /// Reads and checks a configuration.
    ///
    /// - Parameters:
    ///   - yaml: the text.
    ///   - folder: relative paths count from it, also those of included files.
    ///   - environment: the variables that texts may name (`${NAME}`); nil: those of this process.
    /// - Throws: `SettingsFailure` with every fault.
    public init(yaml: String, folder: String = ".", environment: [String: String]? = nil) throws(SettingsFailure) {
        try self.init(yaml: yaml, folder: folder, includesIn: folder, environment: environment)
    }

    /// - Parameter includes: the folder of included files, as messages name it.
    private init(
        yaml: String, folder: String, includesIn includes: String?, environment: [String: String]?
    ) throws(SettingsFailure) {
        let faults = FaultList(), tree = try ConfigurationTree(yaml: yaml, folder: includes, environment: environment, faults)
        do throws(SettingsFailure) {
            try self.init(tree.root, folder: folder, faults)
        } catch {
            throw tree.texts.conceal(error)
        }
        included = tree.included
        expandedTexts = tree.texts
    }

    private init(_ root: SettingsNode, folder: String, _ faults: FaultList) throws(SettingsFailure) {
        guard let section = SettingsSection(root, "", names: Self.names, mayBeEmpty: Self.parts, faults) else {
            throw SettingsFailure(faults.faults)
        }
        self = Self.read(section, folder: folder)
        try decisions.check(faults, root)
        try checkListeners(root)
        try checkTransports(root)
        try checkSources(root)
        let ofDecisions = decisions.idleNames(root) + decisions.endlessRedirects(root) + decisions.proofsForAnyHost(root)
        remarks =
            (faults.warnings + ofDecisions + withheldTokens(root) + missingKeyFiles(root) + missingTokens(root)
            + strayStreams(root)).sorted()
    }

    /// One remark for each file.
    private static func remarks(_ files: [String], _ sentence: String) -> [SettingsFault] {
        Set(files).sorted().map { SettingsFault(.unknown, .conflict, "\($0): \(sentence)") }
    }

    private static let names =
        GatewaySettings.names + [
            "include", "listeners", "administration", "revocations", "transport", "connections", "tokenCache", "log",
            "signals", "replay",
        ]

    /// Sections and lists. Their settings and elements may all be commented out.
    private static let parts = Set(names).subtracting(["include", "revocations"])

    private static func read(_ root: SettingsSection, folder: String) -> ServiceConfiguration {
        let decisions = GatewayConfiguration(root, folder: folder)
        var configuration = ServiceConfiguration(listeners: ListenerSettings.read(root), decisions: decisions)
        configuration.readAdministration(root)
        configuration.checkMetadata(root)
        configuration.revocationFile = root.text("revocations", meaning: "the path of a file").map { SettingsPath.path($0, in: folder) }
        configuration.readTransports(root, folder: folder)
        configuration.signals = SignalSettings.read(root, folder: folder, transport: configuration.transport)
        configuration.checkPlaces(root)
        configuration.connections.read(root)
        configuration.tokenCache.read(root)
        configuration.readLog(root)
        configuration.replay = ReplaySettings.read(root, folder: folder) ?? configuration.replay
        if root.has("replay"), !decisions.countsUses { root.warn("replay", "no provider has `once`, so nothing is remembered") }
        return configuration
    }

    /// Metadata without a listener is for a gateway that serves it itself.
    private func checkMetadata(_ root: SettingsSection) {
        let isServed = listeners.contains { $0.profile == .resourceMetadata }
        if isServed, decisions.resources.isEmpty { root.warn("listeners", "there are no `resources`, so no metadata is served") }
        if !isServed, !decisions.resources.isEmpty {
            root.warn("resources", "no listener has the profile `resource-metadata`, so no metadata is served")
        }
    }

    /// Two listeners in one place would be one listener with the rules of the other.
    private func checkPlaces(_ root: SettingsSection) {
        var seen: [ListenPlace: String] = [administration: "administration"]
        let places = listeners.map { ($0.name, $0.place, "listeners") } + (signals?.place.map { [("signals", $0, "signals")] } ?? [])
        for (name, place, setting) in places {
            if case .tcp(let address) = place, address.hasSuffix(":0") { continue }
            if let other = seen.updateValue(name, forKey: place) {
                root.fault(setting, .conflict, "\(other) and \(name) are both at \(place.text)")
            }
        }
    }
}

extension ConnectionLimits {
    fileprivate mutating func read(_ root: SettingsSection) {
        let names = counts.map(\.name) + spans.map(\.name) + ["headBytes", "bodyBytes"]
        guard let section = root.section("connections", names: names) else { return }
        maximum = section.integer("maximum", 1...1_000_000) ?? maximum
        maximumPerAddress = section.integer("maximumPerAddress", 1...1_000_000) ?? maximumPerAddress
        minimumBytesPerSecond = section.integer("minimumBytesPerSecond", 1...1_000_000) ?? minimumBytesPerSecond
        headTimeout = section.seconds("headSeconds", 1...3_600) ?? headTimeout
        bodyTimeout = section.seconds("bodySeconds", 1...3_600) ?? bodyTimeout
        writeTimeout = section.seconds("writeSeconds", 1...3_600) ?? writeTimeout
        idleTimeout = section.seconds("idleSeconds", 1...86_400) ?? idleTimeout
        drainTimeout = section.seconds("drainSeconds", 0...3_600) ?? drainTimeout
        headBytes = section.integer("headBytes", 4_096...1_048_576) ?? headBytes
        bodyBytes = section.integer("bodyBytes", 0...16_777_216) ?? bodyBytes
    }
}

extension TokenCacheSettings {
    fileprivate mutating func read(_ root: SettingsSection) {
        guard let section = root.section("tokenCache", names: ["megabytes", "maximumAgeSeconds"]) else { return }
        megabytes = section.integer("megabytes", 0...65_536) ?? megabytes
        maximumAge = section.seconds("maximumAgeSeconds", 1...86_400) ?? maximumAge
    }
}
#endif
