import Foundation
import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// Clients that register by a request (RFC 7591).
struct RegistrationTests {
    @Test
    func aClientIsPublicWhateverItAsksFor() async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.register([
                "client_name": " Helper ", "redirect_uris": [OAuthStage.callback, "http://127.0.0.1/cb"], "scope": "everything",
                "grant_types": ["authorization_code", "refresh_token", "implicit"], "token_endpoint_auth_method": "client_secret_basic",
                "logo_uri": "https://shop.example/logo.png", "jwks": ["keys": [[String: String]]()],
            ])
            #expect(reply.status == 201 && reply.field("Cache-Control") == "no-store")
            let names = Set(reply.json.keys)
            #expect(
                names == [
                    "client_id", "client_id_issued_at", "client_name", "redirect_uris", "grant_types", "response_types",
                    "token_endpoint_auth_method",
                ])
            #expect(reply.string("token_endpoint_auth_method") == "none" && reply.string("client_name") == "Helper")
            #expect(reply.json["grant_types"] as? [String] == ["authorization_code", "refresh_token"])
            #expect(reply.json["redirect_uris"] as? [String] == [OAuthStage.callback, "http://127.0.0.1/cb"])
            #expect(reply.string("client_id")?.count == 32)
            #expect(stage.server.auditLines.contains { $0.contains("\"client.registration\"") && $0.contains("\"ok\"") })
        }
    }

    static let faults: [(metadata: [String: [String]], error: String)] = [
        ([:], "invalid_redirect_uri"), (["redirect_uris": []], "invalid_redirect_uri"),
        (["redirect_uris": ["http://shop.example/callback"]], "invalid_redirect_uri"),
        (["redirect_uris": ["https://shop.example/callback#a"]], "invalid_redirect_uri"),
        (["redirect_uris": ["https://user@shop.example/"]], "invalid_redirect_uri"),
        (["redirect_uris": ["cursor://callback"]], "invalid_redirect_uri"),
        (["redirect_uris": ["javascript:alert(1)"]], "invalid_redirect_uri"),
        (["redirect_uris": ["http://127.0.0.1.evil.example/"]], "invalid_redirect_uri"),
        (["redirect_uris": ["http://127.0.0.1@evil.example/"]], "invalid_redirect_uri"),
        (["redirect_uris": [OAuthStage.callback, "//evil.example"]], "invalid_redirect_uri"),
        (["redirect_uris": ["https://%D0%B0pple.example/callback"]], "invalid_redirect_uri"),
        (["redirect_uris": ["https://shop.example%2f.evil.example/callback"]], "invalid_redirect_uri"),
        (["redirect_uris": ["https://shop.example\\.evil.example/callback"]], "invalid_redirect_uri"),
        (["redirect_uris": ["https://shop.example;a/callback"]], "invalid_redirect_uri"),
        (["redirect_uris": [String](repeating: OAuthStage.callback, count: 9)], "invalid_redirect_uri"),
        (["redirect_uris": [OAuthStage.callback], "grant_types": ["client_credentials"]], "invalid_client_metadata"),
        (["redirect_uris": [OAuthStage.callback], "response_types": ["token"]], "invalid_client_metadata"),
        (["redirect_uris": [OAuthStage.callback], "client_name": ["an array"]], "invalid_client_metadata"),
    ]

    @Test(arguments: faults)
    func metadataThatAClientMayNotHaveIsRefused(_ metadata: [String: [String]], error: String) async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.register(metadata)
            #expect(reply.status == 400 && reply.string("error") == error && reply.string("client_id") == nil)
        }
    }

    @Test(arguments: ["a\u{202e}b", "a\u{7}", String(repeating: "x", count: 65)])
    func aNameIsOneShortLineOfText(_ name: String) async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.register(["redirect_uris": [OAuthStage.callback], "client_name": name])
            #expect(reply.status == 400 && reply.string("error") == "invalid_client_metadata")
        }
    }

    static let addresses: [(registered: String, asked: String, works: Bool)] = [
        ("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb", true), ("http://127.0.0.1:3000/cb", "http://127.0.0.1:49152/cb", true),
        ("http://[::1]/cb", "http://[::1]:49152/cb", true), ("http://localhost:1/cb", "http://localhost:2/cb", true),
        ("http://127.0.0.1/cb", "http://127.0.0.1/cb", true), ("http://127.0.0.1/cb?a=1", "http://127.0.0.1:8/cb?a=1", true),
        ("http://127.0.0.1/cb", "http://localhost/cb", false), ("http://127.0.0.1/cb", "http://127.0.0.1:1/other", false),
        ("http://127.0.0.1/cb", "http://127.0.0.1:1/cb?a=1", false), ("http://127.0.0.1/cb", "https://127.0.0.1:1/cb", false),
        ("http://127.0.0.1/cb", "http://127.0.0.1:1/cb#a", false), ("http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb", false),
        ("http://127.0.0.1/cb", "http://127.0.0.1:1evil.example/cb", false), ("http://127.0.0.1/cb", "http://127.0.0.1\\@evil/cb", false),
        ("https://shop.example/cb", "https://shop.example:8443/cb", false), ("https://shop.example/cb", "https://shop.example/cb/", false),
        ("https://127.0.0.1/cb", "https://127.0.0.1:8443/cb", false),
    ]

    /// RFC 8252 section 7.3: any port on this device, and otherwise every byte.
    @Test(arguments: addresses)
    func anAddressIsTheRegisteredOne(_ registered: String, asked: String, works: Bool) async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.authorize(try await stage.registered(registered), ["redirect_uri": asked])
            #expect(reply.status == (works ? 303 : 400))
            if !works { #expect(reply.field("Location") == nil && reply.errorCode == "IDAAS.SDK.COMMON.1006") }
        }
    }

    /// An application of an administrator has its addresses to the letter, on loopback too.
    @Test
    func anotherPortIsForRegisteredClientsAlone() async throws {
        try await OAuthStage.with { stage in
            _ = try await stage.server.server.services.administration.setWeb(
                of: LiveServer.client, redirectURIs: ["http://127.0.0.1:3000/cb"], secret: nil)
            #expect(try await stage.authorize(LiveServer.client, ["redirect_uri": "http://127.0.0.1:3001/cb"]).status == 400)
        }
    }

    @Test
    func anAddressRegistersSoManyAndTheTableHasItsBound() async throws {
        try await OAuthStage.with {
            $0.limits.registrationsPerAddress = [Limit(2, per: .seconds(3_600))]
            $0.oauth.maximumClients = 3
        } _: { stage in
            let metadata = ["redirect_uris": [OAuthStage.callback]]
            for _ in 0..<2 { #expect(try await stage.register(metadata).status == 201) }
            let third = try await stage.register(metadata)
            #expect(third.status == 429 && third.field("Retry-After") == "3600")
            stage.server.clock.advance(by: 3_601)
            #expect(try await stage.register(metadata).status == 201)
            #expect(try await stage.register(metadata).status == 429)
        }
    }

    @Test
    func aClientThatNobodyUsesIsRemoved() async throws {
        try await OAuthStage.with { stage in
            let services = stage.server.server.services
            let (used, _, _) = try await stage.granted()
            let unused = try await stage.registered()
            func known(_ clients: String...) async throws -> [Bool] {
                var known: [Bool] = []
                for client in clients { known.append(try await stage.authorize(client).status == 303) }
                return known
            }
            stage.server.clock.advance(by: 7 * 86_400 - 1)
            try await services.maintain()
            #expect(try await known(unused, used) == [true, true])
            stage.server.clock.advance(by: 1)
            try await services.maintain()
            #expect(try await known(unused, used) == [false, true])
            stage.server.clock.advance(by: 83 * 86_400)
            try await services.maintain()
            #expect(try await known(used, LiveServer.client) == [false, true])
        }
    }

    /// Its logins are the application's: with its second factor, without its secrets.
    @Test
    func aRegisteredClientLogsInAsTheApplicationDoes() async throws {
        try await OAuthStage.with { stage in
            let client = try await stage.registered()
            let services = stage.server.server.services
            _ = try await services.administration.configure(LiveServer.client) {
                $0.password = true
                $0.secondFactor.demand = .always
            }
            _ = try await services.administration.setOneClick(of: LiveServer.client, accessKeyID: "a", secret: "s")
            let settings = try #require(try await services.clients.find(client)).settings
            #expect(settings.sms && settings.password && settings.secondFactor.demand == .always && settings.oneClick == nil)
            #expect(settings.secondFactor.authenticator == LiveServer.client && settings.web?.registration?.name == "Helper")
        }
    }

    @Test
    func withoutTheApplicationARegisteredClientHasNoWayToLogIn() async throws {
        try await OAuthStage.with {
            $0.oauth.loginsOf = "absent"
        } _: { stage in
            let client = try await stage.registered()
            let settings = try #require(try await stage.server.server.services.clients.find(client)).settings
            #expect(!settings.sms && !settings.password)
        }
    }

    @Test(arguments: [("text/plain", "{}", 415), ("application/json", "[]", 400), ("application/json", "{\"a\":1,\"a\":2}", 400)])
    func aBodyThatIsNoObjectOfJSONIsRefused(_ type: String, body: String, status: Int) async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.wire.send("POST", WirePath.registration, [("Content-Type", type)], body: Array(body.utf8))
            #expect(reply.status == status)
        }
    }
}
