import Gateway
import GatewayServer
import JWKSCache
import JWTCore
import SharedReplayMemory
import Testing

/// `once` of a provider, and `replay`.
@Suite struct ReplaySettingsTests {
    /// The sample with tokens that pass once, and with this section.
    static func sample(_ replay: String = "") -> String {
        SampleConfiguration.replacing("audiences: [client-1]", with: "audiences: [client-1]\n    once: true") + replay
    }

    private static func settings(_ replay: String) throws -> ReplaySettings { try ServiceConfiguration(yaml: sample(replay)).replay }

    @Test func tokensThatPassOnceNeedANameAndAnEnd() throws {
        let provider = try ServiceConfiguration(yaml: Self.sample()).decisions.providers[0]
        #expect(provider.passesOnce && provider.issuer.policy.requiredClaims == ["jti", "exp"])
        let plain = try ServiceConfiguration(yaml: SampleConfiguration.text).decisions.providers[0]
        #expect(!plain.passesOnce && plain.issuer.policy.requiredClaims.isEmpty)
    }

    @Test func theDefaultIsThisProcess() throws {
        let settings = try Self.settings("")
        #expect(settings.place == .memory(entries: 262_144) && settings.connections == 4 && settings.timeLimit == .seconds(1))
        #expect(try Self.settings("replay: {memory: {entries: 10}}").place == .memory(entries: 10))
    }

    @Test func aStoreIsNamedByItsURL() throws {
        let database = try Self.settings("replay: {database: 'postgresql://h/d', connections: 2, timeoutMilliseconds: 50}")
        #expect(database.place == .database(url: "postgresql://h/d") && database.connections == 2)
        #expect(database.timeLimit == .milliseconds(50))
        guard
            case .valkey(let server) = try Self.settings(
                "replay: {valkey: 'rediss://me@h/1', passwordFile: secret, certificateFile: /ca.pem}"
            ).place
        else {
            Issue.record("no server")
            return
        }
        #expect(server.host == "h" && server.isTLS && server.user == "me" && server.database == 1)
        #expect(server.passwordFile == "./secret" && server.certificateFile == "/ca.pem")
    }

    @Test(arguments: [
        ("{}", SettingsFault.Code.missingSetting, "one of `memory`, `database`, `valkey` is needed"),
        ("{memory: {entries: 1}, database: 'postgresql://h'}", .conflict, "only one of"),
        ("{memory: {entries: 0}}", .invalidValue, "between 1 and 67108864"),
        ("{memory: {entries: 1}, connections: 1}", .conflict, "is of no use with `memory`"),
        ("{database: 'mysql://h'}", .invalidValue, "a URL of PostgreSQL is expected"),
        ("{database: 'postgresql://h', passwordFile: x}", .conflict, "is of no use with `database`"),
        ("{database: 'postgresql://h', timeoutMilliseconds: 1}", .invalidValue, "between 10 and 10000"),
        ("{valkey: 'http://h'}", .invalidValue, "`redis://host:port` is expected"),
        ("{valkey: 'redis://me:secret@localhost'}", .invalidValue, "without a password"),
        ("{valkey: 'redis://me@localhost'}", .conflict, "a user needs a `passwordFile`"),
        ("{valkey: 'redis://localhost', certificateFile: x}", .conflict, "is of no use without `rediss://`"),
        ("{store: 1}", .unknownSetting, "no such setting"),
    ])
    func whatIsNoneIsAFault(replay: String, code: SettingsFault.Code, text: String) throws {
        let faults = SettingsFaultTests.faults(of: Self.sample("replay: \(replay)\n"))
        #expect(faults.contains { $0.code == code && $0.text.contains(text) }, "\(faults)")
        #expect(!faults.contains { $0.text.contains("secret") })
    }

    @Test(arguments: [
        (SampleConfiguration.text + "replay: {memory: {entries: 1}}\n", "no provider has `once`"),
        (sample("replay: {valkey: 'redis://valkey.example'}\n"), "without TLS"),
    ])
    func whatMayBeMeantIsAWarning(text: String, warning: String) throws {
        let warnings = try ServiceConfiguration(yaml: text).warnings(revocations: RevocationList())
        #expect(warnings.contains { "\($0)".contains(warning) }, "\(warnings)")
    }

    @Test func aHostHasTheSetting() throws {
        let json = #"""
            {"providers": [{"name": "a", "issuer": "https://a.example", "audiences": ["x"], "once": true}],
             "policies": [{"name": "p", "requires": "a"}], "policy": "p"}
            """#
        #expect(try GatewaySettings(json: json.utf8.span).configuration.providers[0].passesOnce)
        #expect(try !GatewaySettings(json: json.replacing("true", with: "false").utf8.span).configuration.providers[0].passesOnce)
    }
}
