import Gateway
import GatewayServer
import JWTTestSupport
import Testing

/// `introspection` of a provider.
@Suite struct IntrospectionSettingsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("secret", "0123456789\n")
        _ = try folder.write("empty", " \n")
    }

    /// The sample with an introspection of its provider, at line 11.
    private static func sample(_ settings: String) -> String {
        SampleConfiguration.replacing("audiences: [client-1]", with: "audiences: [client-1]\n    introspection: \(settings)")
    }

    private func terms(_ settings: String) throws -> IntrospectionTerms? {
        try ServiceConfiguration(yaml: Self.sample(settings), folder: folder.path).decisions.providers[0].introspection
    }

    private func faults(_ text: String) -> [SettingsFault] {
        do {
            _ = try ServiceConfiguration(yaml: text, folder: folder.path)
            return []
        } catch {
            return error.faults
        }
    }

    @Test func itIsOffUnlessConfigured() throws {
        #expect(try ServiceConfiguration(yaml: SampleConfiguration.text).decisions.providers[0].introspection == nil)
    }

    @Test func theDefaultsAreTheMetadatasEndpointAndNoStaleness() throws {
        let terms = try #require(try terms("{clientID: gateway, secretFile: secret}"))
        #expect(terms == IntrospectionTerms(clientID: "gateway", secretFile: "\(folder.path)/secret"))
        #expect(terms.endpoint == nil && terms.staleIfError == .zero && !terms.isSigned && !terms.takesJWT)
        #expect(terms.activeLifetime == .seconds(30) && terms.inactiveLifetime == .seconds(10) && terms.timeout == .seconds(2))
        #expect(terms.maximumTokens == 10_000 && terms.maximumBytes == 16 << 20 && terms.requestsPerSecond == 50)
    }

    @Test func eachIsSet() throws {
        let terms = try #require(
            try terms(
                "{clientID: gw, secretFile: secret, endpoint: \"https://idp.example/i\", authentication: client_secret_post, signed: true, "
                    + "introspectJWT: true, activeSeconds: 1, inactiveSeconds: 2, staleSeconds: 3, maximumTokens: 4000, "
                    + "maximumMegabytes: 5, requestsPerSecond: 6, timeoutSeconds: 7}"))
        #expect(terms.endpoint == "https://idp.example/i" && terms.authentication == .post && terms.isSigned && terms.takesJWT)
        #expect(terms.activeLifetime == .seconds(1) && terms.inactiveLifetime == .seconds(2) && terms.staleIfError == .seconds(3))
        #expect(terms.maximumTokens == 4_000 && terms.maximumBytes == 5 << 20 && terms.requestsPerSecond == 6)
        #expect(terms.timeout == .seconds(7))
    }

    @Test(arguments: [
        ("{secretFile: secret}", SettingsFault.Code.missingSetting, "`providers[1].introspection.clientID`: is missing"),
        ("{clientID: gw}", .missingSetting, "`providers[1].introspection.secretFile`: is missing"),
        ("{clientID: gw, secretFile: nowhere}", .invalidValue, "a file with a secret"),
        ("{clientID: gw, secretFile: empty}", .invalidValue, "a file with a secret"),
        ("{clientID: gw, secretFile: secret, endpoint: \"http://idp.example/i\"}", .invalidValue, "an https URL is expected"),
        ("{clientID: gw, secretFile: secret, authentication: basic}", .invalidValue, "is one of client_secret_basic, client_secret_post"),
        ("{clientID: gw, secretFile: secret, secret: x}", .unknownSetting, "no such setting"),
        ("{clientID: gw, secretFile: secret, activeSeconds: 0}", .invalidValue, "between 1 and 3600"),
        ("{clientID: gw, secretFile: secret, inactiveSeconds: 3601}", .invalidValue, "between 1 and 3600"),
        ("{clientID: gw, secretFile: secret, staleSeconds: 86401}", .invalidValue, "between 0 and 86400"),
        ("{clientID: gw, secretFile: secret, maximumTokens: 999}", .invalidValue, "between 1000 and 1000000"),
        ("{clientID: gw, secretFile: secret, maximumMegabytes: 0}", .invalidValue, "between 1 and 4096"),
        ("{clientID: gw, secretFile: secret, requestsPerSecond: 1001}", .invalidValue, "between 1 and 1000"),
        ("{clientID: gw, secretFile: secret, timeoutSeconds: 11}", .invalidValue, "between 1 and 10"),
        ("{clientID: gw, secretFile: secret, endpoint: \"https://127.0.0.1/i\"}", .conflict, "needs `allowLoopback: true`"),
        ("{clientID: gw, secretFile: secret, endpoint: \"https://10.0.0.1/i\"}", .conflict, "needs `allowPrivateAddresses: true`"),
        ("{clientID: gw, secretFile: secret, endpoint: \"https://169.254.169.254/i\"}", .conflict, "is never asked"),
        ("true", .wrongKind, "settings are expected"), ("", .wrongKind, "has no value"),
    ])
    func whatIsNoneIsAFault(settings: String, code: SettingsFault.Code, text: String) {
        let faults = faults(Self.sample(settings))
        #expect(faults.count == 1 && faults.first?.code == code && faults.first?.text.contains(text) == true, "\(faults)")
    }

    private static let plain = "{clientID: gw, secretFile: secret}"

    /// The server would judge encrypted tokens too, and no key would ever be used.
    @Test func keysForTokensThatAreIntrospectedAreAFault() {
        let settings = "{clientID: gw, secretFile: secret, introspectJWT: true}\n    decryptionKeys: [secret]"
        let faults = faults(Self.sample(settings)).filter { $0.code == .conflict }
        #expect(faults.count == 1 && faults.first?.text.contains("`providers[1].introspection.introspectJWT`") == true)
    }

    @Test func anIDTokenIsNotIntrospected() {
        let text = Self.sample(Self.plain).replacing("audiences: [client-1]", with: "audiences: [client-1]\n    tokens: id-token")
        #expect(faults(text).map(\.code) == [.conflict])
    }

    @Test func anIssuerThatIsNoURLNeedsAnEndpoint() {
        let text = Self.sample(Self.plain).replacing("issuer: https://idp.example", with: "issuer: idp")
        #expect(faults(text).map(\.code) == [.missingSetting])
    }

    @Test func theBearerTokenForKeysWouldReplaceTheClientsSecret() {
        let text = Self.sample(Self.plain).replacing(
            "audiences: [client-1]", with: "audiences: [client-1]\n    transport: {bearerTokenFile: secret}")
        #expect(faults(text).map(\.code) == [.conflict])
    }

    /// nginx's and Envoy's modules, and other programs with libassay.
    @Test func aHostCannotHaveIt() {
        let json = #"""
            {"providers": [{"name": "a", "issuer": "https://a.example", "audiences": ["x"], "introspection": {"clientID": "gw", "secretFile": "s"}}],
             "policies": [{"name": "p", "requires": "a"}], "policy": "p"}
            """#
        let failure = #expect(throws: SettingsFailure.self) { try GatewaySettings(json: json.utf8.span) }
        #expect(failure?.faults.map(\.code) == [.conflict] && failure?.faults.first?.text.contains("only `assay serve`") == true)
    }
}
