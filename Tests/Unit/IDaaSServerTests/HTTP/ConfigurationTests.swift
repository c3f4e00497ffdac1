import Foundation
import IDaaSServer
import JWTTestSupport
import Secrets
import Testing

struct ConfigurationTests {
    private let folder: TemporaryFolder
    private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/idaas/idaas.yaml")

    init() throws { folder = try TemporaryFolder() }

    @Test
    func whatIsLeftOutHasItsDefault() throws {
        #expect(try ServerConfiguration(yaml: "") == ServerConfiguration())
        var changed = ServerConfiguration()
        changed.listen = "[::1]:9000"
        changed.audit.keep = 3
        changed.limits.triesPerCode = 3
        #expect(try ServerConfiguration(yaml: "listen: '[::1]:9000'\naudit:\n  keep: 3\nlimits: {triesPerCode: 3}\n") == changed)
        #expect(try ServerConfiguration(yaml: "audit:\n") == ServerConfiguration())
    }

    /// The sample can be read. With every setting uncommented it states the defaults.
    @Test
    func sampleFile() throws {
        let text = try String(contentsOf: Self.sample, encoding: .utf8)
        _ = try ServerConfiguration(yaml: text)
        let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            line.hasPrefix("#: ") ? line.dropFirst(3) : line
        }
        #expect(try ServerConfiguration(yaml: uncommented.joined(separator: "\n")) == ServerConfiguration())
        let names = Set(
            uncommented.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ":").first?.trimmingCharacters(in: .whitespaces) })
        for name in Mirror(reflecting: ServerConfiguration()).children.compactMap(\.label) {
            #expect(names.contains(name), "the sample says nothing of \(name)")
        }
    }

    @Test(arguments: [
        ("listne: 127.0.0.1:1", "listne"), ("audit: {kep: 3}", "audit.kep"), ("audit: 3", "audit"),
        ("audit: {keep: many}", "audit.keep"),
        ("listen: 8800", "listen"), ("listen: '127.0.0.1:70000'", "listen"), ("listen: 0.0.0.0:8800", "listen"),
        ("listen: 192.0.2.1:80", "listen"), ("listen: 192.0.2.1:80\nproxy: {behind: true}", "publicURL"),
        ("publicURL: http://login.example.com", "publicURL"), ("publicURL: https://login.example.com/x", "publicURL"),
        ("publicURL: https://u@login.example.com", "publicURL"), ("tls: {certificate: a.pem}", "tls"),
        ("proxy: {behind: true, trusted: [nonsense]}\npublicURL: https://login.example.com", "proxy.trusted"),
        ("proxy: {behind: true}\npublicURL: https://login.example.com", "proxy.trusted"),
        ("proxy: {trusted: [10.0.0.0/8]}", "proxy.trusted"),
        ("metrics: {readers: [everybody]}", "metrics.readers"), ("signing: {algorithm: HS256}", "signing.algorithm"),
        ("development: true\nlisten: 192.0.2.1:80\ntls: {certificate: a, key: b}", "development"),
        ("development: true\nproxy: {behind: true}\npublicURL: https://login.example.com", "development"),
        ("simulators: true\nlisten: 192.0.2.1:80\ntls: {certificate: a, key: b}", "simulators"),
        ("upstreams: {wechat: nonsense}", "upstreams.wechat"), ("limits: {triesPerState: 0}", "limits.triesPerState"),
        ("sms: {webhook: 'https://sms.example.com'}", "sms"),
        ("sms: {webhook: 'http://sms.example.com', secretFile: a}", "sms.webhook"),
        ("sms: {webhook: 'sms.example.com', secretFile: a}", "sms.webhook"),
        ("oauth: {registration: true}", "oauth"), ("oauth: {clientDocuments: true, loginsOf: demo}", "oauth"),
        ("oauth: {resources: [{uri: 'http://api.example.com'}]}", "oauth.resources.uri"),
        ("oauth: {resources: [{uri: 'https://api.example.com/#a'}]}", "oauth.resources.uri"),
        ("oauth: {resources: [{name: a}]}", "oauth.resources"),
        ("oauth: {resources: [{uri: 'https://a.example', scope: [a]}]}", "oauth.resources"),
        ("oauth: {resources: [{uri: 'https://a.example'}, {uri: 'https://a.example'}]}", "oauth.resources"),
        ("oauth: {resources: [{uri: 'https://a.example', scopes: ['a b']}]}", "oauth.resources.scopes"),
        ("oauth: {resources: [{uri: 'https://a.example', scopes: [openid]}]}", "oauth.resources.scopes"),
        ("oauth: {resources: [{uri: 'https://a.example', accessTokenSeconds: 7201}]}", "oauth.resources.accessTokenSeconds"),
        ("oauth: {maximumClients: 0}", "oauth.maximumClients"), ("oauth: {idleDays: 0}", "oauth.idleDays"),
        ("a: [", "the configuration is not YAML"),
        ("limits: {none: 1}", "limits.none"), ("lifetimes: {none: 1}", "lifetimes.none"),
        ("limits: {smsPerNumber: [{count: -1, seconds: 60}]}", "limits.smsPerNumber: count"),
        ("limits: {smsPerNumber: [{count: 1, seconds: 60}, {count: 1, seconds: 0}]}", "limits.smsPerNumber: seconds"),
        ("limits: {loginsPerAddress: [{count: 1, seconds: 9000000000000000000}]}", "limits.loginsPerAddress: seconds"),
        ("limits: {captchaLockSeconds: 0}", "limits.captchaLockSeconds"), ("limits: {triesPerCode: 0}", "limits.triesPerCode"),
        ("limits: {failuresPerDevice: 0}", "limits.failuresPerDevice"), ("limits: {lockSeconds: -1}", "limits.lockSeconds"),
        ("limits: {longestLockSeconds: 0}", "limits.longestLockSeconds"), ("lifetimes: {idToken: 0}", "lifetimes.idToken"),
        ("lifetimes: {code: -300}", "lifetimes.code"), ("lifetimes: {sessionIdle: 9000000000000000}", "lifetimes.sessionIdle"),
        ("lifetimes: {code: 700}", "lifetimes.code: between 1 and 600, not 700"),
        ("lifetimes: {authorizationCode: 700}", "lifetimes.authorizationCode: between 1 and 600, not 700"),
        ("limits: {failuresPerDevice: 101}", "limits.failuresPerDevice: between 1 and 100, not 101"),
        ("limits: {longestLockSeconds: 899}", "limits.longestLockSeconds: between 900 and"),
        ("connections: {maximum: 0}", "connections.maximum"), ("connections: {maximumPerAddress: 0}", "connections.maximumPerAddress"),
        ("connections: {headSeconds: 0}", "connections.headSeconds"), ("connections: {bodySeconds: 0}", "connections.bodySeconds"),
        ("connections: {writeSeconds: -1}", "connections.writeSeconds"), ("connections: {idleSeconds: 0}", "connections.idleSeconds"),
        ("connections: {minimumBytesPerSecond: 0}", "connections.minimumBytesPerSecond"),
        ("connections: {drainSeconds: -1}", "connections.drainSeconds"), ("connections: {bodyBytes: 1}", "connections.bodyBytes"),
        ("readiness: {minimumFreeBytes: -1}", "readiness.minimumFreeBytes"),
        ("statusLists: {ttlSeconds: 0}", "statusLists.ttlSeconds: between 1 and 86400, not 0"),
        ("statusLists: {expirySeconds: 299}", "statusLists.expirySeconds: between 300 and"),
        ("statusLists: {enabled: 2}", "statusLists.enabled"),
        ("signals: {maximumAgeSeconds: 59}", "signals.maximumAgeSeconds: between 60 and"),
        ("signing: {rotationDays: 0}", "signing.rotationDays"), ("signing: {publicationHours: -1}", "signing.publicationHours"),
    ])
    func whatCannotBeMeantIsRefusedByTheNameOfItsSetting(text: String, setting: String) {
        let error = #expect(throws: ConfigurationError.self) { try ServerConfiguration(yaml: text) }
        #expect(error?.description.hasPrefix(setting) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        "listen: 0.0.0.0:443\ntls: {certificate: a, key: b}\npublicURL: https://login.example.com",
        "listen: 192.0.2.1:80\nproxy: {behind: true, trusted: [10.0.0.0/8]}\npublicURL: https://login.example.com",
        "listen: localhost:80", "listen: '[::1]:80'", "development: true",
    ])
    func offLoopbackThereIsTLSOrAProxyThatSpeaksIt(text: String) throws {
        _ = try ServerConfiguration(yaml: text)
    }

    @Test
    func eachLimitAndEachLifetimeIsCheckedByItsName() throws {
        let windows = Mirror(reflecting: LimitSettings()).children.filter { $0.value is [Limit] }.compactMap(\.label)
        let lifetimes = Mirror(reflecting: Lifetimes()).children.compactMap(\.label)
        #expect(windows.count == 17 && lifetimes.count == 15)
        for (yaml, setting) in windows.map({ ("limits: {\($0): [{count: -1, seconds: 1}]}", "limits.\($0): count") })
            + lifetimes.map({ ("lifetimes: {\($0): 0}", "lifetimes.\($0)") })
        {
            let error = #expect(throws: ConfigurationError.self) { try ServerConfiguration(yaml: yaml) }
            #expect(error?.description.hasPrefix(setting) == true, "\(String(describing: error))")
        }
    }

    @Test
    func aCountOfNoneIsALimit() throws {
        let configuration = try ServerConfiguration(yaml: "limits: {smsPerForeignCountry: [{count: 0, seconds: 3600}]}")
        #expect(configuration.limits.smsPerForeignCountry == [Limit(0, per: .seconds(3_600))])
    }

    /// The server's key comes from the environment, or from a file that no other user can read.
    @Test
    func serverKey() throws {
        let path = folder.path + "/idaas.key"
        var configuration = ServerConfiguration()
        configuration.keyFile = path
        let load = { (environment: [String: String]) in
            try ServerKey.load(configuration, environment: environment, randomness: .system)
        }
        #expect(throws: ConfigurationError.self) { try load([:]) }
        _ = try load([ServerKey.variable: String(repeating: "0a", count: 32)])
        #expect(throws: ConfigurationError.self) { try load([ServerKey.variable: String(repeating: "0a", count: 31)]) }
        #expect(throws: ConfigurationError.self) { try load([ServerKey.variable: String(repeating: "zz", count: 32)]) }

        let text = Data(repeating: 7, count: 32).base64EncodedString()
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        _ = try load([:])
    }

    /// Each file with a secret: the setting that names it, and how a server starts with it.
    @Test(arguments: ["keyFile", "sms.secretFile", "tls.key"], [0o644, 0o640, 0o604, 0o620, 0o600])
    func aSecretThatOthersMayReadOrWriteIsRefused(setting: String, mode: Int) async throws {
        let path = folder.path + "/secret"
        try Data(String(repeating: "0a", count: 32).utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        var configuration = ServerConfiguration()
        configuration.listen = "127.0.0.1:0"
        configuration.database = folder.path + "/idaas.sqlite"
        configuration.keyFile = setting == "keyFile" ? path : ""
        configuration.sms.webhook = "https://sms.example.com"
        configuration.sms.secretFile = setting == "sms.secretFile" ? path : "none"
        configuration.tls.certificate = setting == "tls.key" ? path : ""
        configuration.tls.key = setting == "tls.key" ? path : ""
        let refused = try await refusal(of: configuration)
        // With an accepted secret the server is refused for a later reason.
        #expect(refused.hasPrefix("\(setting): \(path) has mode \(String(mode, radix: 8))") == (mode != 0o600), "\(refused)")
    }

    private func refusal(of configuration: ServerConfiguration) async throws -> String {
        let key = configuration.keyFile.isEmpty ? [ServerKey.variable: String(repeating: "5a", count: 32)] : [:]
        let gateway = configuration.tls.isSet ? DevelopmentOutbox() : nil
        do {
            let server = try await ReferenceServer(configuration: configuration, gateway: gateway, environment: key)
            server.shutDown()
            try await server.run(heedsSignals: false)
            return "nothing"
        } catch let error as ConfigurationError {
            return error.description
        }
    }

    @Test
    func inDevelopmentAKeyIsMadeBesideTheDatabaseOnce() throws {
        var configuration = ServerConfiguration()
        configuration.database = folder.path + "/idaas.sqlite"
        #expect(throws: ConfigurationError.self) { try ServerKey.load(configuration, environment: [:], randomness: .system) }
        configuration.development = true
        _ = try ServerKey.load(configuration, environment: [:], randomness: .system)
        let made = try Data(contentsOf: URL(fileURLWithPath: configuration.database + ".key"))
        _ = try ServerKey.load(configuration, environment: [:], randomness: .system)
        #expect(try Data(contentsOf: URL(fileURLWithPath: configuration.database + ".key")) == made)
    }
}
