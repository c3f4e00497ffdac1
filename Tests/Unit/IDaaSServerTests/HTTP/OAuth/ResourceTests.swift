import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Testing

/// Access tokens for protected resources (RFC 8707, RFC 9068).
struct ResourceTests {
    @Test
    func anAccessTokenIsForItsResourceAlone() async throws {
        try await OAuthStage.with { stage in
            let client = try await stage.registered()
            let reply = try await stage.exchange(try await stage.code(client, ["scope": "read"]), client)
            #expect(reply.status == 200 && reply.field("Cache-Control") == "no-store" && reply.string("token_type") == "Bearer")
            #expect(reply.string("scope") == "read" && reply.integer("expires_in") == 600 && reply.string("id_token") == nil)
            let token = try #require(reply.string("access_token"))
            #expect(try TokenPart.header.json(in: token)["typ"] as? String == "at+jwt")
            let claims = try OAuthStage.claims(reply)
            #expect(claims["aud"] as? String == OAuthStage.files && claims["client_id"] as? String == client)
            #expect(claims["scope"] as? String == "read" && claims["mobile"] == nil && claims["name"] == nil)
            let status = try #require(claims["status"] as? [String: [String: Any]])
            #expect(status["status_list"]?["idx"] is Int)
            let published = try await stage.wire.send("GET", WirePath.keys, [])
            let keys = try KeySet(jwks: published.body.span)
            let now = NumericDate(seconds: stage.server.clock.now.seconds)
            func verifies(_ audience: String, _ scopes: [String]) -> Bool {
                let policy = ClaimsPolicy.accessToken(issuer: stage.server.ready.issuer, audience: audience, scopes: scopes)
                let verifier = TokenVerifier(keys: keys, policy: policy)
                let verified = try? verifier.withVerified(token.utf8.span, now: now) { $0["client_id"]?.string?.string }
                return verified == client
            }
            #expect(verifies(OAuthStage.files, ["read"]))
            #expect(!verifies(OAuthStage.files, ["write"]) && !verifies(OAuthStage.notes, []))
        }
    }

    /// It opens neither the user's own data nor the user's sessions.
    @Test
    func anAccessTokenIsNoTokenOfThisServer() async throws {
        try await OAuthStage.with { stage in
            let (client, reply, _) = try await stage.granted()
            let bearer = [("Authorization", "Bearer \(try #require(reply.string("access_token")))")]
            #expect(try await stage.wire.send("GET", WirePath.userInfo, bearer).status == 401)
            let own = try await stage.server.wire(client: client).get(WirePath.sessions, adding: bearer)
            #expect(own.status == 400 && own.errorCode == "IDAAS.SDK.COMMON.1005")
        }
    }

    /// An application of an administrator may ask for both tokens. They name the same session.
    @Test
    func anApplicationMayAskForAnIDTokenToo() async throws {
        try await OAuthStage.with { stage in
            let asked: [String: String?] = ["scope": "openid write offline_access", "nonce": "n"]
            let reply = try await stage.exchange(try await stage.code(LiveServer.client, asked), LiveServer.client)
            #expect(reply.string("scope") == "write openid offline_access")
            let identity = try TokenPart.payload.json(in: try #require(reply.string("id_token")))
            let access = try OAuthStage.claims(reply)
            #expect(identity["nonce"] as? String == "n" && identity["aud"] as? String == LiveServer.client)
            #expect(identity["sid"] as? String == access["sid"] as? String && reply.string("refresh_token") != nil)
        }
    }

    @Test
    func anApplicationThatDoesNotAskForARefreshTokenGetsNone() async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.exchange(try await stage.code(LiveServer.client), LiveServer.client)
            #expect(reply.status == 200 && reply.string("refresh_token") == nil)
            let client = try await stage.registered(grants: ["authorization_code"])
            let other = try await stage.exchange(try await stage.code(client, ["scope": "read offline_access"]), client)
            #expect(other.string("scope") == "read" && other.string("refresh_token") == nil)
        }
    }

    static let scopes = [
        ("", OAuthStage.files, "read write"), ("read", OAuthStage.files, "read"), ("openid", OAuthStage.files, "read write"),
        ("write read admin", OAuthStage.files, "read write"), ("", OAuthStage.notes, ""),
    ]

    @Test(arguments: scopes)
    func aScopeIsTheResourcesOrNothing(_ asked: String, resource: String, granted: String) async throws {
        try await OAuthStage.with { stage in
            let client = try await stage.registered()
            let reply = try await stage.exchange(try await stage.code(client, ["scope": asked, "resource": resource]), client)
            #expect(reply.status == 200 && reply.string("scope") ?? "" == granted)
            let claimed = try OAuthStage.claims(reply)["scope"] as? String
            #expect(claimed ?? "" == granted)
        }
    }

    static let faults: [(changes: [String: String?], error: String)] = [
        (["resource": nil], "invalid_target"), (["resource": ""], "invalid_target"),
        (["resource": "https://files.example/"], "invalid_target"), (["resource": OAuthStage.files + "/"], "invalid_target"),
        (["resource": "HTTPS://files.example/mcp"], "invalid_target"), (["scope": "admin"], "invalid_scope"),
        (["scope": "READ"], "invalid_scope"), (["code_challenge": nil], "invalid_request"),
        (["code_challenge_method": "plain"], "invalid_request"), (["prompt": "none"], "login_required"),
    ]

    @Test(arguments: faults)
    func aWrongRequestIsAnsweredByARedirectWithTheIssuer(_ changes: [String: String?], error: String) async throws {
        try await OAuthStage.with { stage in
            let address = "http://127.0.0.1:49152/callback"
            let changes = changes.merging(["redirect_uri": address]) { first, _ in first }
            let location = try #require(try await stage.authorize(try await stage.registered(address), changes).field("Location"))
            let members = OAuthStage.members(of: location)
            #expect(location.hasPrefix(address + "?") && members["error"] == error && members["state"] == "s")
            #expect(members["iss"] == stage.server.ready.issuer)
        }
    }

    /// RFC 9700 section 4.11.2: anybody could register an address of another host, and this server would send browsers there.
    @Test(arguments: faults)
    func aWrongRequestOfARegisteredClientSendsNoBrowserToItsHost(_ changes: [String: String?], error: String) async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.authorize(try await stage.registered(), changes)
            #expect(reply.status == 400 && reply.field("Location") == nil && reply.string("error") == error)
            guard changes["resource"] == nil else { return }
            let location = try #require(try await stage.authorize(LiveServer.client, changes).field("Location"))
            #expect(OAuthStage.members(of: location)["error"] == error)
        }
    }

    /// Before there were resources, the parameter was ignored, and a client got a token for something else than it asked for.
    @Test
    func withoutSettingsNoResourceIsKnown() async throws {
        try await OAuthStage.with {
            $0.oauth = ServerConfiguration.OAuthChoice()
        } _: { stage in
            let location = try #require(try await stage.authorize(LiveServer.client, ["scope": "openid"]).field("Location"))
            #expect(OAuthStage.members(of: location)["error"] == "invalid_target")
            #expect(try await stage.refresh("a", LiveServer.client).string("error") == "unsupported_grant_type")
            #expect(try await stage.register(["redirect_uris": [OAuthStage.callback]]).status == 404)
        }
    }

    @Test
    func aCodeIsForTheResourceOfItsRequest() async throws {
        try await OAuthStage.with { stage in
            let client = try await stage.registered()
            let code = try await stage.code(client)
            let refused = try await stage.exchange(code, client, ["resource": OAuthStage.notes])
            #expect(refused.status == 400 && refused.string("error") == "invalid_target")
            let same = try await stage.exchange(try await stage.code(client), client, ["resource": OAuthStage.files])
            #expect(same.status == 200)
            let without = try await stage.code(LiveServer.client, ["resource": nil, "scope": "openid"])
            #expect(
                try await stage.exchange(without, LiveServer.client, ["resource": OAuthStage.files]).string("error") == "invalid_target")
        }
    }

    @Test
    func aCodeThatComesAgainEndsItsGrant() async throws {
        try await OAuthStage.with { stage in
            let client = try await stage.registered()
            let code = try await stage.code(client)
            let first = try await stage.exchange(code, client)
            #expect(try await stage.exchange(code, client).string("error") == "invalid_grant")
            let refused = try await stage.refresh(try #require(first.string("refresh_token")), client)
            #expect(refused.status == 400 && refused.string("error") == "invalid_grant")
        }
    }
}
