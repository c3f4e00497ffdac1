import Foundation
import Gateway
import GatewayServer
import JWTTestSupport
import Testing

/// How keys are fetched, for all providers and for one.
@Suite struct TransportSettingsTests {
    private typealias Fault = SettingsFaultTests.Fault

    /// The sample with a transport of its provider, at line 11.
    private static func sample(_ settings: String) -> String {
        SampleConfiguration.replacing("audiences: [client-1]", with: "audiences: [client-1]\n    transport: \(settings)")
    }

    private static let second = """
          - name: b
            issuer: https://b.example
            audiences: [b]
            keys: {url: "https://10.1.2.3/jwks"}

        """

    /// The sample with another provider at line 18, whose keys are in a private network.
    private static func sample(withSecond settings: String) -> String {
        SampleConfiguration.replacing("policies:\n", with: second + settings + "policies:\n")
    }

    @Test func aProviderInheritsWhatItDoesNotSet() throws {
        let section = """
            transport:
              authorities: /dev/null
              onlyTheseAuthorities: true
              allowLoopback: true
              clientCertificate: {certificate: /dev/null, privateKey: /dev/zero}
              proxy: {host: "proxy.internal", port: 3128, user: gw, passwordFile: /dev/zero}
              timeoutSeconds: 9

            """
        let configuration = try ServiceConfiguration(
            yaml: Self.sample("{allowPrivateAddresses: true, bearerTokenFile: token}") + section, folder: "/f")
        let all = configuration.transport
        #expect(all.authorities == "/dev/null" && all.trustsOnlyAuthorities && all.allowsLoopback && !all.allowsPrivateAddresses)
        #expect(all.clientCertificate?.certificate == "/dev/null" && all.clientCertificate?.privateKey == "/dev/zero")
        #expect(all.proxy?.host == "proxy.internal" && all.proxy?.port == 3_128)
        #expect(all.proxy?.user == "gw" && all.proxy?.passwordFile == "/dev/zero")
        #expect(all.timeout == .seconds(9) && all.bearerTokenFile == nil)
        var own = all
        own.allowsPrivateAddresses = true
        own.bearerTokenFile = "/f/token"
        #expect(configuration.providerTransports == ["idp": own])
    }

    @Test func aProviderSetsEachForItself() throws {
        let all = """
            transport:
              authorities: /dev/null
              onlyTheseAuthorities: true
              allowLoopback: true
              allowPrivateAddresses: true
              clientCertificate: {certificate: /dev/null, privateKey: /dev/null}
              proxy: {host: proxy.internal, port: 3128}

            """
        let own = """
            {authorities: /dev/zero, onlyTheseAuthorities: false, allowLoopback: false, allowPrivateAddresses: false, \
            clientCertificate: none, proxy: none, timeoutSeconds: 1}
            """
        let configuration = try ServiceConfiguration(yaml: Self.sample(own) + all)
        let found = try #require(configuration.providerTransports["idp"])
        #expect(found.authorities == "/dev/zero" && !found.trustsOnlyAuthorities)
        #expect(!found.allowsLoopback && !found.allowsPrivateAddresses && found.timeout == .seconds(1))
        #expect(found.clientCertificate == nil && found.proxy == nil && found.bearerTokenFile == nil)
        #expect(try ServiceConfiguration(yaml: SampleConfiguration.text + all).providerTransports == [:])
    }

    @Test(
        arguments: [
            ("", 11, .wrongKind, "`providers[1].transport`: has no value"), ("x", 11, .wrongKind, "settings are expected here"),
            (
                "{allowLoopbak: true}", 11, .unknownSetting,
                "`providers[1].transport.allowLoopbak`: no such setting; did you mean `allowLoopback`?"
            ),
            ("{allowLoopback: 1}", 11, .wrongKind, "`true` or `false`"),
            ("{allowPrivateAddresses: yes}", 11, .wrongKind, "`true` or `false`"),
            ("\n      timeoutSeconds: 61", 12, .invalidValue, "`providers[1].transport.timeoutSeconds`: between 1 and 60"),
            ("\n      authorities: /no/such", 12, .invalidValue, "/no/such cannot be read"),
            ("{authorities: [a]}", 11, .wrongKind, "the path of a file is expected"),
            ("\n      onlyTheseAuthorities: true", 12, .conflict, "no server is trusted without `authorities`"),
            ("{clientCertificate: x}", 11, .wrongKind, "settings are expected here"),
            ("{clientCertificate: {certificate: /dev/null}}", 11, .missingSetting, "clientCertificate.privateKey`: is missing"),
            ("{clientCertificate: {privateKey: /dev/null}}", 11, .missingSetting, "clientCertificate.certificate`: is missing"),
            (
                "\n      clientCertificate:\n        certificate: /dev/null\n        privateKey: /no/such", 14, .invalidValue,
                "`providers[1].transport.clientCertificate.privateKey`: /no/such cannot be read"
            ),
            ("{proxy: {host: p}}", 11, .missingSetting, "proxy.port`: is missing"),
            ("{proxy: {port: 1}}", 11, .missingSetting, "proxy.host`: is missing"),
            ("{proxy: {host: p, port: 0}}", 11, .invalidValue, "between 1 and 65535"),
            ("{proxy: {host: \"http://p\", port: 1}}", 11, .invalidValue, "without scheme, brackets and port"),
            ("{proxy: {host: \"[::1]\", port: 1}}", 11, .invalidValue, "without scheme, brackets and port"),
            ("{proxy: {host: p, port: 1, user: u}}", 11, .conflict, "proxy.user`: `user` and `passwordFile` need each other"),
            ("{proxy: {host: p, port: 1, passwordFile: /dev/null}}", 11, .conflict, "need each other"),
            ("{proxy: {host: p, port: 1, user: u, passwordFile: /no/such}}", 11, .invalidValue, "/no/such cannot be read"),
            ("{proxy: {host: p, port: 1, user: \"u:v\", passwordFile: /dev/null}}", 11, .invalidValue, "has no colon"),
            ("{proxy: {host: p, port: 1, password: x}}", 11, .unknownSetting, "proxy.password`: no such setting"),
            (
                "\n      proxy:\n        host: 10.0.0.1\n        port: 1", 13, .conflict,
                "`providers[1].transport.proxy.host`: 10.0.0.1 needs `allowPrivateAddresses: true` in `providers[1].transport`"
            ),
            ("{proxy: {host: localhost, port: 1}}", 11, .conflict, "localhost needs `allowLoopback: true`"),
            ("{proxy: {host: \"::1\", port: 1}}", 11, .conflict, "::1 needs `allowLoopback: true`"),
            ("{proxy: {host: 169.254.1.1, port: 1}}", 11, .conflict, "169.254.1.1 is never asked: its address is link-local"),
            ("{bearerTokenFile: [a]}", 11, .wrongKind, "the path of a file is expected"),
        ] as [(String, Int, SettingsFault.Code, String)])
    func aFaultHasItsLineAndAWordOfHelp(_ settings: String, line: Int, code: SettingsFault.Code, text: String) throws {
        let faults = SettingsFaultTests.faults(of: Self.sample(settings))
        let found = try #require(faults.first { $0.code == code }, "\(faults)")
        #expect(found.line == line && found.text.contains(text), "\(found)")
    }

    /// Faults of the transport of all providers, which begins in line 29.
    @Test(arguments: [
        ("transport: {bearerTokenFile: /dev/null}", 29, "`transport.bearerTokenFile`: is a setting of one provider's `transport`"),
        ("transport:\n  onlyTheseAuthorities: true", 30, "no server is trusted without `authorities`"),
        ("transport:\n  proxy: {host: 10.0.0.1, port: 1}", 30, "needs `allowPrivateAddresses: true` in `transport`"),
    ])
    func aFaultOfTheTransportOfAllIsNamed(_ section: String, line: Int, text: String) throws {
        let faults = SettingsFaultTests.faults(of: SampleConfiguration.text + section + "\n")
        #expect(faults.map(\.code) == [.conflict] && faults.first?.line == line, "\(faults)")
        #expect(faults.first?.text.contains(text) == true, "\(faults)")
    }

    /// What does not fit to the provider's keys, at lines 12 and 13.
    @Test(arguments: [
        ("{timeoutSeconds: 1}", "file: /dev/null", 11, "`providers[1].transport`: is of no use with keys of this machine"),
        (
            "{bearerTokenFile: t}", "file: /dev/null\n      failover: [{url: \"https://b.example\"}]", 11,
            "`providers[1].transport.bearerTokenFile`: is for the first place of keys alone"
        ),
        ("{bearerTokenFile: t, allowLoopback: true}", "url: http://localhost:1/jwks", 11, "a token needs https: http://localhost:1/jwks"),
        ("{proxy: {host: p, port: 1}}", "url: https://192.88.98.1/jwks", 12, "the certificate of an address cannot be verified"),
        ("{timeoutSeconds: 1}", "url: https://10.1.2.3/jwks", 12, "needs `allowPrivateAddresses: true` in `providers[1].transport`"),
        ("{allowPrivateAddresses: true}", "url: https://127.0.0.1/jwks", 12, "needs `allowLoopback: true` in `providers[1].transport`"),
    ])
    func aTransportFitsToTheKeys(_ settings: String, keys: String, line: Int, text: String) throws {
        let faults = SettingsFaultTests.faults(of: Self.sample(settings).replacing("url: https://idp.example/jwks", with: keys))
        #expect(faults.map(\.code) == [.conflict] && faults.first?.line == line, "\(faults)")
        #expect(faults.first?.text.contains(text) == true, "\(faults)")
    }

    /// A permission of one provider opens nothing for another.
    @Test(
        arguments: [
            ("", "in the provider's `transport`, or in that of all providers"), ("    transport: {allowPrivateAddresses: true}\n", nil),
            ("    transport: {allowLoopback: true}\n", "in `providers[2].transport`"),
        ] as [(String, String?)])
    func aPermissionIsForItsProviderAlone(_ settings: String, place: String?) throws {
        let faults = SettingsFaultTests.faults(
            of: Self.sample(withSecond: settings).replacing(
                "audiences: [client-1]", with: "audiences: [client-1]\n    transport: {allowPrivateAddresses: true}"))
        #expect(faults.map(\.code) == (place == nil ? [] : [.conflict]), "\(faults)")
        if let place { #expect(faults.first?.text.hasSuffix("needs `allowPrivateAddresses: true` \(place)") == true, "\(faults)") }
    }

    /// Their keys are fetched once, in one way.
    @Test(arguments: [("{timeoutSeconds: 5}", true), ("{timeoutSeconds: 6}", false), ("", false)])
    func providersOfOneIssuerHaveOneTransport(_ settings: String, isTaken: Bool) throws {
        let other = """
              - name: b
                issuer: https://idp.example
                audiences: [b]
                keys: {url: "https://idp.example/jwks"}
            \(settings.isEmpty ? "" : "    transport: \(settings)\n")policies:

            """
        let faults = SettingsFaultTests.faults(of: Self.sample("{timeoutSeconds: 5}").replacing("policies:\n", with: other))
        #expect(faults.map(\.code) == (isTaken ? [] : [.conflict]), "\(faults)")
        #expect(isTaken || faults.first?.text.contains("`providers[2].transport`: the provider idp has this issuer") == true, "\(faults)")
    }

    @Test func aTokenThatIsNotThereIsAWarning() throws {
        let configuration = try ServiceConfiguration(yaml: Self.sample("\n      bearerTokenFile: /no/such"))
        let found = try #require(configuration.warnings(revocations: .init()).first)
        #expect(found.line == 12 && found.text.contains("`providers[1].transport.bearerTokenFile`: /no/such is not there"), "\(found)")
    }

    /// The token is not among them, which Kubernetes lets everyone in a container read.
    @Test func aSecretThatEveryoneMayReadIsAWarning() throws {
        let folder = try TemporaryFolder()
        for name in ["certificate", "key", "password", "token"] { _ = try folder.write(name, "t") }
        let settings = """
            {clientCertificate: {certificate: certificate, privateKey: key}, \
            proxy: {host: p, port: 1, user: u, passwordFile: password}, bearerTokenFile: token}
            """
        let path = try folder.write("gateway.yaml", Self.sample(settings))
        func warnings(mode: mode_t) throws -> [String] {
            for name in ["certificate", "key", "password", "token"] { #expect(unsafe chmod("\(folder.path)/\(name)", mode) == 0) }
            return try ServiceConfiguration(file: path).warnings(revocations: .init()).map(\.text)
        }
        #expect(
            try warnings(mode: 0o644) == ["key", "password"].map { "\(folder.path)/\($0): everyone on this machine may read the file" })
        #expect(try warnings(mode: 0o600) == [])
        #expect(try warnings(mode: 0o622).count == 4)
    }

    @Test(arguments: [
        ("{authorities: no-pem}", "trust roots"), ("{clientCertificate: {certificate: no-pem, privateKey: no-pem}}", "client certificate"),
        ("{proxy: {host: p, port: 1, user: u, passwordFile: empty}}", "is empty, or has control characters"),
        ("{proxy: {host: p, port: 1, user: u, passwordFile: lines}}", "is empty, or has control characters"),
        ("{proxy: {host: p, port: 1, user: u, passwordFile: long}}", "cannot be read as a password of at most 4096 bytes"),
    ])
    func theCheckReadsTheFiles(_ settings: String, text: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("no-pem", "hunter2")
        _ = try folder.write("empty", "\n")
        _ = try folder.write("lines", "hunter2\nhunter2\n")
        _ = try folder.write("long", String(repeating: "a", count: 4_097))
        let configuration = try ServiceConfiguration(file: try folder.write("gateway.yaml", Self.sample(settings)))
        let failure = #expect(throws: SettingsFailure.self) { try configuration.checkFiles() }
        let found = try #require(failure?.faults.first)
        #expect(found.text.hasPrefix("`providers[1].transport`: ") && found.text.contains(text), "\(found)")
        #expect(!found.text.contains("hunter2"))
    }

    /// The host of a library makes the requests itself.
    @Test func hostsHaveNone() throws {
        let json = #"{"providers": [{"name": "a", "issuer": "https://a.example", "audiences": ["a"], "transport": {"timeoutSeconds": 1}}]}"#
        let failure = #expect(throws: SettingsFailure.self) { try GatewaySettings(json: json.utf8.span) }
        #expect(failure?.faults.contains { $0.text.contains("`providers[1].transport`: no such setting") } == true)
    }
}
