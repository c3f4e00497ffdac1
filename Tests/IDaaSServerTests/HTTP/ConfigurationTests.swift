#if IDaaS
import Foundation
import IDaaSServer
import Secrets
import Testing

@Suite("The configuration")
struct ConfigurationTests {
    private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/idaas/idaas.yaml")

    @Test("What is left out has its default")
    func defaults() throws {
        #expect(try ServerConfiguration(yaml: "") == ServerConfiguration())
        var changed = ServerConfiguration()
        changed.listen = "[::1]:9000"
        changed.audit.keep = 3
        #expect(try ServerConfiguration(yaml: "listen: '[::1]:9000'\naudit:\n  keep: 3\n") == changed)
        #expect(try ServerConfiguration(yaml: "audit:\n") == ServerConfiguration())
    }

    @Test("The sample is read, and with every setting taken out of its comment says what the defaults are")
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

    @Test(
        "What cannot be meant is refused by the name of its setting",
        arguments: [
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
            ("sms: {webhook: 'https://sms.example.com'}", "sms"),
            ("sms: {webhook: 'http://sms.example.com', secretFile: a}", "sms.webhook"),
            ("sms: {webhook: 'sms.example.com', secretFile: a}", "sms.webhook"),
            ("a: [", "the configuration is not YAML"),
            ("limits: {none: 1}", "limits.none"), ("lifetimes: {none: 1}", "lifetimes.none"),
            ("limits: {smsPerNumber: [{count: -1, seconds: 60}]}", "limits.smsPerNumber: count"),
            ("limits: {smsPerNumber: [{count: 1, seconds: 60}, {count: 1, seconds: 0}]}", "limits.smsPerNumber: seconds"),
            ("limits: {loginsPerAddress: [{count: 1, seconds: 9000000000000000000}]}", "limits.loginsPerAddress: seconds"),
            ("limits: {captchaLockSeconds: 0}", "limits.captchaLockSeconds"), ("limits: {triesPerCode: 0}", "limits.triesPerCode"),
            ("limits: {failuresPerNumber: 0}", "limits.failuresPerNumber"), ("limits: {lockSeconds: -1}", "limits.lockSeconds"),
            ("limits: {longestLockSeconds: 0}", "limits.longestLockSeconds"), ("lifetimes: {idToken: 0}", "lifetimes.idToken"),
            ("lifetimes: {code: -300}", "lifetimes.code"), ("lifetimes: {sessionIdle: 9000000000000000}", "lifetimes.sessionIdle"),
            ("signing: {rotationDays: 0}", "signing.rotationDays"), ("signing: {publicationHours: -1}", "signing.publicationHours"),
        ])
    func refused(text: String, setting: String) {
        let error = #expect(throws: ConfigurationError.self) { try ServerConfiguration(yaml: text) }
        #expect(error?.description.hasPrefix(setting) == true, "\(String(describing: error))")
    }

    @Test(
        "Off loopback there is TLS, or a proxy that speaks it",
        arguments: [
            "listen: 0.0.0.0:443\ntls: {certificate: a, key: b}\npublicURL: https://login.example.com",
            "listen: 192.0.2.1:80\nproxy: {behind: true, trusted: [10.0.0.0/8]}\npublicURL: https://login.example.com",
            "listen: localhost:80", "listen: '[::1]:80'", "development: true",
        ])
    func accepted(text: String) throws {
        _ = try ServerConfiguration(yaml: text)
    }

    @Test("Each limit and each lifetime is checked by its name")
    func everyValue() throws {
        let windows = Mirror(reflecting: LimitSettings()).children.filter { $0.value is [Limit] }.compactMap(\.label)
        let lifetimes = Mirror(reflecting: Lifetimes()).children.compactMap(\.label)
        #expect(windows.count == 12 && lifetimes.count == 10)
        for (yaml, setting) in windows.map({ ("limits: {\($0): [{count: -1, seconds: 1}]}", "limits.\($0): count") })
            + lifetimes.map({ ("lifetimes: {\($0): 0}", "lifetimes.\($0)") })
        {
            let error = #expect(throws: ConfigurationError.self) { try ServerConfiguration(yaml: yaml) }
            #expect(error?.description.hasPrefix(setting) == true, "\(String(describing: error))")
        }
    }

    @Test("A count of none is a limit")
    func forbidden() throws {
        let configuration = try ServerConfiguration(yaml: "limits: {smsPerForeignCountry: [{count: 0, seconds: 3600}]}")
        #expect(configuration.limits.smsPerForeignCountry == [Limit(0, per: 3_600)])
    }

    @Test("The server's key comes from the environment, or from a file that nobody else reads")
    func serverKey() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "idaas.key").path
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
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(throws: ConfigurationError.self) { try load([:]) }
    }

    @Test("In development a key is made beside the database, once")
    func developmentKey() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = ServerConfiguration()
        configuration.database = directory.appending(path: "idaas.sqlite").path
        #expect(throws: ConfigurationError.self) { try ServerKey.load(configuration, environment: [:], randomness: .system) }
        configuration.development = true
        _ = try ServerKey.load(configuration, environment: [:], randomness: .system)
        let made = try Data(contentsOf: URL(fileURLWithPath: configuration.database + ".key"))
        _ = try ServerKey.load(configuration, environment: [:], randomness: .system)
        #expect(try Data(contentsOf: URL(fileURLWithPath: configuration.database + ".key")) == made)
    }
}
#endif
