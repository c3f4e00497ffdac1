/// A configuration as a text has it: read, checked, and with what the text may not mean.
public struct GatewaySettings: Sendable {
    public let configuration: GatewayConfiguration
    /// The path of a JSON file with revocations, for a host that reads it; nil: none.
    public let revocationFile: String?
    /// The path of the log of revocations that another process writes (``RevocationLog``), for a host that reads it; nil: none.
    public let revocationLog: String?
    /// What may do something else than it seems to.
    public let warnings: [SettingsFault]

    /// Reads a JSON object with `providers`, `policies`, `routes`, `resources`, `paths`, `fieldLimits` and `tokenBytes`, which mean what they mean in the
    /// service's file. A host with routes of its own gives `policy`, `allowPreflight` and `allowMethodOverride` in place of `routes`
    /// (``HostRoutes``). `revocations` and `revocationLog` are paths of files (``revocationFile``, ``revocationLog``).
    ///
    /// - Parameters:
    ///   - json: UTF-8 of at most 1 MiB and 16 levels.
    ///   - folder: paths of files count from it.
    /// - Throws: ``SettingsFailure`` with every fault.
    public init(json: Span<UInt8>, folder: String = ".") throws(SettingsFailure) {
        let faults = FaultList()
        let root: SettingsNode
        do throws(SettingsFault) {
            root = try SettingsNode.document(json: json)
        } catch {
            throw SettingsFailure([error])
        }
        guard let section = SettingsSection(root, "", names: Self.names + Self.hostNames, faults) else {
            throw SettingsFailure(faults.faults)
        }
        configuration = GatewayConfiguration(section, folder: folder, isHosted: true)
        revocationFile = section.text("revocations").map { SettingsPath.path($0, in: folder) }
        revocationLog = section.text("revocationLog").map { SettingsPath.path($0, in: folder) }
        try configuration.check(faults, root)
        let warnings = faults.warnings + configuration.idleNames(root) + configuration.endlessRedirects(root)
        self.warnings = (warnings + configuration.proofsForAnyHost(root)).sorted()
    }

    /// The settings that make decisions. A host may have others.
    package static let names = ["providers", "policies", "routes", "resources", "paths", "fieldLimits", "tokenBytes"]
    private static let hostNames = ["policy", "allowPreflight", "allowMethodOverride", "revocations", "revocationLog"]
}
