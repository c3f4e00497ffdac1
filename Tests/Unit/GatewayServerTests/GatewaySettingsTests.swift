import Gateway
import GatewayServer
import Testing

/// A configuration in JSON, for hosts that have no file of the service.
struct GatewaySettingsTests {
    private static let text = """
        {
          "providers": [
            {
              "name": "idp", "issuer": "https://idp.example", "audiences": ["client-1"], "algorithms": ["ES256"], "leewaySeconds": 5,
              "keys": {"url": "https://idp.example/jwks", "failover": [{"file": "/etc/keys.json"}]},
              "tokenFrom": [{"authorization": "Bearer"}, {"header": "x-token", "prefix": "Token "}, {"cookie": "c"}, {"query": "t"}],
              "claims": [{"header": "x-user", "claim": "sub"}, {"header": "x-role", "path": ["roles", 0, "0"], "arrays": "json"}],
              "payloadHeader": "x-payload", "forwardToken": true, "required": false, "refresh": "revocation-first", "staleSeconds": 9
            }
          ],
          "policies": [
            {
              "name": "api", "requires": {"any": ["idp", {"all": ["idp"]}]}, "scopes": ["read"], "realm": "api", "mode": "dry-run",
              "claims": [{"claim": "/a/0", "anyOf": ["x", 2, true]}, {"claim": "level", "atLeast": 2, "atMost": 3}]
            },
            {"name": "open", "requires": "nothing"}
          ],
          "routes": [
            {"exact": "/health", "methods": ["GET"], "policy": "open"},
            {"path": "/", "hosts": ["api.example"], "headers": {"x-version": "2"}, "policy": "api"}
          ],
          "paths": {"allowEmptySegments": true},
          "fieldLimits": {"valueBytes": 100, "totalBytes": 200}
        }
        """

    /// JSON is YAML, so one text is read by both readers.
    @Test func jsonIsReadAsTheServicesFileIs() throws {
        let settings = try GatewaySettings(json: Self.text.utf8.span)
        let listeners = "\"listeners\": [{\"profile\": \"nginx\", \"tcp\": \"127.0.0.1:0\"}],\n"
        let service = try ServiceConfiguration(
            yaml: Self.text.replacing("\"providers\"", with: listeners + "\"providers\"", maxReplacements: 1))
        #expect(String(describing: settings.configuration) == String(describing: service.decisions))
        #expect(settings.configuration.policies[0].claimRules[0].condition == .anyOf(["x", "2", "true"]))
        #expect(settings.warnings.isEmpty)
    }

    /// A secret that is fetched is none.
    @Test(
        arguments: [
            (#"{"inline": "{\"kty\": \"oct\", \"alg\": \"HS256\", \"k\": \"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA\"}"}"#, true),
            (#"{"file": "/etc/keys.json"}"#, true), (#"{"file": "/a", "failover": [{"file": "/b"}]}"#, true),
            (#"{"file": "/a", "failover": [{"url": "https://idp.example/jwks"}]}"#, false),
            (#"{"url": "https://idp.example/jwks", "failover": [{"file": "/b"}]}"#, false), ("{}", false),
        ]) func hmacNeedsKeysOfThisMachine(_ keys: String, isTaken: Bool)
    {
        let source = #"{"url": "https://idp.example/jwks", "failover": [{"file": "/etc/keys.json"}]}"#
        var text = Self.text.replacing("[\"ES256\"]", with: "[\"HS256\"]").replacing(source, with: keys)
        if keys.contains("inline") { text = text.replacing(#", "refresh": "revocation-first", "staleSeconds": 9"#, with: "") }
        let faults = Self.faults(text).map(\.text).filter { $0.contains("algorithms") }
        #expect(faults.isEmpty == isTaken && faults.allSatisfy { $0.contains("`HS256` is not an algorithm for public keys") })
        #expect(text != Self.text)
    }

    @Test func whatIdlesIsAWarning() throws {
        let text = Self.text.replacing("\"policy\": \"open\"", with: "\"policy\": \"api\"")
        let settings = try GatewaySettings(json: text.utf8.span)
        #expect(settings.warnings.map(\.text) == ["`policies[2]`: no route names the policy open"])
    }

    /// A host replaces what it wants to replace.
    @Test func aHostsTextsHaveNoVariables() throws {
        let text = Self.text.replacing("\"realm\": \"api\"", with: "\"realm\": \"${PATH} $${\"")
        #expect(try GatewaySettings(json: text.utf8.span).configuration.policies.contains { $0.realm == "${PATH} $${" })
    }

    private static func faults(_ text: String) -> [SettingsFault] {
        do throws(SettingsFailure) {
            _ = try GatewaySettings(json: text.utf8.span)
            return []
        } catch {
            return error.faults
        }
    }

    @Test(
        arguments: [
            (text.replacing("\"x\", 2, true", with: "9007199254740993"), .invalidValue, 0, "2^53 or more"),
            ("{", .notJSON, 1, "not JSON"), ("", .notJSON, 1, "not JSON"), ("{}\n{}", .notJSON, 2, "not JSON"),
            ("{\"routes\": [],\n\"routes\": []}", .repeatedName, 2, "set twice"), ("[]", .wrongKind, 0, "settings are expected"),
            ("null", .missingSetting, 0, "at least one policy"), ("{\"listeners\": []}", .unknownSetting, 0, "no such setting"),
            (String(repeating: "[", count: 17) + String(repeating: "]", count: 17), .tooDeep, 0, "16 levels"),
            ("\"" + String(repeating: "a", count: 1_048_576) + "\"", .tooLarge, 0, "1048576 bytes"),
            (text.replacing("[\"ES256\"]", with: "[\"ES265\"]"), .invalidValue, 0, "did you mean `ES256`?"),
            (text.replacing("\"leewaySeconds\": 5", with: "\"leewaySeconds\": \"5\""), .wrongKind, 0, "a whole number"),
            (text.replacing("\"leewaySeconds\": 5", with: "\"leewaySeconds\": 5.5"), .wrongKind, 0, "a whole number"),
            (text.replacing("\"required\": false", with: "\"required\": \"false\""), .wrongKind, 0, "`true` or `false`"),
            (text.replacing("\"realm\": \"api\"", with: "\"realm\": null"), .wrongKind, 0, "has no value"),
            (text.replacing("\"realm\": \"api\"", with: "\"realm\": 7"), .wrongKind, 0, "a text is expected"),
            (text.replacing("\"scopes\": [\"read\"]", with: "\"scopes\": []"), .wrongKind, 0, "the list is empty"),
            (text.replacing("\"exact\": \"/health\", \"methods\": [\"GET\"],", with: ""), .conflict, 0, "`routes[2]`: never decides"),
        ] as [(String, SettingsFault.Code, Int, String)])
    func aFaultIsNamed(text: String, code: SettingsFault.Code, line: Int, words: String) throws {
        let found = try #require(Self.faults(text).first { $0.code == code }, "\(Self.faults(text))")
        #expect(found.line == line)
        #expect(found.text.contains(words), "\(found)")
    }
}
