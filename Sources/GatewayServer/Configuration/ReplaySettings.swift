#if Gateway
internal import Gateway
internal import JWTCore
public import SharedReplayMemory

/// Where the service remembers the uses of tokens that pass once.
public struct ReplaySettings: Hashable, Sendable {
    public var place = Place.memory(entries: 262_144)
    /// To a store, the most that are open at a time.
    public var connections = 4
    /// For a store's answer.
    public var timeLimit = Duration.seconds(1)

    public enum Place: Hashable, Sendable {
        /// In this process, with room for so many live entries. Another process, and this one after a restart, remembers nothing of it.
        case memory(entries: Int)
        /// In a PostgreSQL database.
        case database(url: String)
        /// In a Valkey or Redis server.
        case valkey(ValkeyServer)
    }

    /// The most live entries in this process: 1 GiB.
    static let mostEntries = 1 << 26
}

extension ReplaySettings {
    private static let places = ["memory", "database", "valkey"]
    private static let storeNames = ["connections", "timeoutMilliseconds"]
    private static let valkeyNames = ["passwordFile", "certificateFile"]

    /// Reads `replay`; nil without the section.
    static func read(_ root: SettingsSection, folder: String) -> ReplaySettings? {
        guard let section = root.section("replay", names: places + storeNames + valkeyNames), let kind = section.one(of: places) else {
            return nil
        }
        for name in kind == "memory" ? storeNames + valkeyNames : kind == "database" ? valkeyNames : [] where section.has(name) {
            section.fault(name, .conflict, "is of no use with `\(kind)`")
        }
        var settings = ReplaySettings()
        settings.place = place(kind, section, folder: folder) ?? settings.place
        settings.connections = section.integer("connections", 1...64) ?? settings.connections
        settings.timeLimit = section.integer("timeoutMilliseconds", 10...10_000).map { .milliseconds($0) } ?? settings.timeLimit
        return settings
    }

    private static func place(_ kind: String, _ section: SettingsSection, folder: String) -> Place? {
        if kind == "memory" {
            let memory = section.section("memory", names: ["entries"])
            return memory?.integer("entries", 1...mostEntries).map { .memory(entries: $0) }
        }
        guard let url = section.text(kind) else { return nil }
        // No message repeats a URL, which may have a password.
        if kind == "database" {
            if PostgresReplayMemory.isURL(url) { return .database(url: url) }
            section.fault(kind, .invalidValue, "a URL of PostgreSQL is expected: `postgresql://host/database`")
            return nil
        }
        guard var server = ValkeyServer(url: url) else {
            section.fault(
                kind, .invalidValue,
                "`redis://host:port` is expected, or `rediss://` for TLS, with `user@` and `/database` if needed, and without a password"
            )
            return nil
        }
        server.passwordFile = section.text("passwordFile", meaning: "the path of a file").map { SettingsPath.path($0, in: folder) }
        server.certificateFile = section.text("certificateFile", meaning: "the path of a file").map { SettingsPath.path($0, in: folder) }
        if server.user != nil, server.passwordFile == nil { section.fault(kind, .conflict, "a user needs a `passwordFile`") }
        if server.certificateFile != nil, !server.isTLS { section.fault("certificateFile", .conflict, "is of no use without `rediss://`") }
        if !server.isTLS, !["localhost", "127.0.0.1", "::1"].contains(server.host) {
            section.warn(kind, "without TLS, who reads the connection learns the password, and who changes it lets replays through")
        }
        return .valkey(server)
    }

    /// The files that only the service has to read.
    var secretFiles: [String] {
        if case .valkey(let server) = place { server.passwordFile.map { [$0] } ?? [] } else { [] }
    }
}
#endif
