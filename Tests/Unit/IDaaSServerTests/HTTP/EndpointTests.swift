import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Testing

struct EndpointTests: ServerTests {
    private static let mobile = "+86-13800000000"

    @Test(.liveServer)
    func discoveryNamesWhatIsServed() async throws {
        let reply = try await wire.send("GET", "/api/v1/oauth2/.well-known/openid-configuration", [])
        #expect(reply.status == 200)
        #expect(reply.string("issuer") == server.ready.url + "/api/v1/oauth2")
        #expect(reply.string("jwks_uri") == server.ready.url + "/api/v1/oauth2/keys")
        #expect(reply.json["id_token_signing_alg_values_supported"] as? [String] == ["RS256"])
        let tag = try #require(reply.field("ETag"))
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 10)
        let path = "/api/v1/oauth2/.well-known/openid-configuration"
        let again = try await wire.send("GET", path, [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
        #expect(again.field("Cache-Control") == "public, max-age=300")
        #expect(try await wire.send("GET", path, [("If-None-Match", "\"other\"")]).text == reply.text)
        let endpoints = reply.json.filter { $0.key.hasSuffix("_endpoint") }.compactMapValues { $0 as? String }
        #expect(endpoints.count == 4)
        for (name, url) in endpoints {
            #expect(try await wire.send("PATCH", String(url.dropFirst(server.ready.url.count)), []).status == 405, "\(name)")
        }
        #expect(reply.json["code_challenge_methods_supported"] as? [String] == ["S256"])
        #expect(reply.json["response_types_supported"] as? [String] == ["code"])
    }

    @Test(.liveServer)
    func keysMayBeKeptFor300SAndACopyThatIsStillRightIsNotSentAgain() async throws {
        let reply = try await wire.send("GET", "/api/v1/oauth2/keys", [])
        #expect(reply.status == 200 && reply.field("Cache-Control") == "public, max-age=300")
        _ = try KeySet(jwks: reply.body.span)
        let tag = try #require(reply.field("ETag"))
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 10)
        for condition in [tag, "W/" + tag, "*", "\"other\", \(tag)"] {
            let again = try await wire.send("GET", "/api/v1/oauth2/keys", [("If-None-Match", condition)])
            #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
            #expect(again.field("Cache-Control") == "public, max-age=300")
        }
        #expect(try await wire.send("GET", "/api/v1/oauth2/keys", [("If-None-Match", "\"other\"")]).status == 200)
        try await server.server.services.keys.rotate(now: true)
        let rotated = try await wire.send("GET", "/api/v1/oauth2/keys", [("If-None-Match", tag)])
        #expect(rotated.status == 200 && rotated.field("ETag") != tag)
    }

    @Test(.liveServer)
    func aCaptchaHasAJCaptchasMembersAndItsPlaceInNoneOfThem() async throws {
        let reply = try await wire.get("/api/v2/sdk/captcha")
        #expect(reply.status == 200)
        let absent = [
            "captchaId", "projectCode", "captchaOriginalPath", "captchaFontType", "captchaFontSize", "secretKey", "point", "wordList",
            "pointList", "pointJson", "captchaVerification",
        ]
        for name in absent { #expect(reply.json[name] is NSNull, "\(name)") }
        #expect(reply.json["result"] as? Bool == false)
        #expect(["expire", "width", "height", "block_width"].map { reply.integer($0) } == [120, 310, 155, 47])
        #expect(reply.string("token")?.count == 32)
        for name in ["originalImageBase64", "jigsawImageBase64"] {
            #expect(Data(base64Encoded: try #require(reply.string(name)))?.isEmpty == false)
        }
        #expect(Set(reply.json.keys).count == absent.count + 8)
    }

    /// A code is sent without a body in the answer, or with the numbers if the client prefers a representation.
    @Test(.liveServer)
    func aSentCodeIsAnsweredWithoutABody() async throws {
        let token = try await wire.solvedCaptcha(for: Self.mobile, server.solver)
        let plain = try await wire.send(to: Self.mobile, captchaToken: token)
        #expect(plain.status == 200 && plain.body.isEmpty)
        server.clock.advance(by: 61)
        let next = try await wire.solvedCaptcha(for: Self.mobile, server.solver)
        let full = try await wire.post(
            "/api/v2/sdk/sms/send", ["mobile": Self.mobile, "type": "LOGIN_SMS", "captcha_token": next],
            adding: [("Prefer", "respond-async, return=representation")])
        #expect(full.integer("expire") == 300 && full.integer("interval") == 60)
        #expect(full.field("Preference-Applied") == "return=representation")
        #expect(await server.outbox.messages(for: Self.mobile).count == 2)
    }

    @Test(.liveServer)
    func aLoginGivesAnIdTokenThatThePublishedKeysVerify() async throws {
        try await server.sendCode(to: Self.mobile, with: wire)
        let code = try await server.lastCode(of: Self.mobile)
        let reply = try await wire.post(
            "/api/v2/sdk/login/mobile-verify-code", ["mobile": Self.mobile, "verify_code": code, "nonce": "n-1", "unknown": [1, 2]])
        #expect(reply.status == 200 && reply.field("Cache-Control") == "no-store")
        #expect(Set(reply.json.keys) == ["session_token", "expire", "id_token", "id_token_expires_in", "status"])
        #expect(reply.string("status") == "SUCCESS" && reply.integer("id_token_expires_in") == 7_200)
        #expect(reply.integer("expire") == 604_800)
        let published = try await wire.send("GET", "/api/v1/oauth2/keys", [])
        var policy = ClaimsPolicy.idToken(issuer: server.ready.issuer, clientID: LiveServer.client)
        policy.nonce = "n-1"
        let verifier = TokenVerifier(keys: try KeySet(jwks: published.body.span), policy: policy)
        _ = try verifier.verify(try #require(reply.string("id_token")), now: NumericDate(seconds: server.clock.now.seconds))
        let refreshed = try await wire.refresh(try #require(reply.string("session_token")))
        #expect(Set(refreshed.json.keys) == ["session_token", "expire", "id_token", "id_token_expires_in"])
    }

    @Test(.liveServer, arguments: ["POST", "GET"])
    func loggingOutEndsTheSessionByPOSTAndByGETAndAgainIsNoError(method: String) async throws {
        let tokens = try await server.logIn()
        for _ in 0..<2 {
            let reply = try await wire.send(method, "/api/v2/sdk/logout", wire.fields + [("session-token", tokens.sessionToken)])
            #expect(reply.status == 200 && reply.json.isEmpty && reply.text == "{}")
        }
        #expect(try await wire.refresh(tokens.sessionToken).errorCode == "IDAAS.SDK.COMMON.1005")
        #expect(try await wire.sessions(tokens.idToken).errorCode == "IDAAS.SDK.COMMON.1005")
    }

    @Test(.liveServer)
    func onlyTheHolderOfAnIdTokenEndsSessions() async throws {
        let first = try await server.logIn(device: "device-1")
        server.clock.advance(by: 61)
        let second = try await server.logIn(device: "device-2")
        let list = try await wire.sessions(first.idToken)
        let sessions = try #require(list.json["sessions"] as? [[String: Any]])
        #expect(sessions.count == 2)
        #expect(sessions.compactMap { $0["current"] as? Bool }.count { $0 } == 1)
        for session in sessions {
            #expect(Set(session.keys) == ["id", "current", "device_name", "created_at", "last_used_at", "expires_at"])
            #expect(session["device_name"] as? String == "Linux 6.1")
        }
        let other = try #require(sessions.first { $0["current"] as? Bool == false }?["id"] as? String)
        let authorization = ("Authorization", "bearer " + first.idToken)
        #expect(try await wire.delete("/api/v2/sdk/sessions/\(other)", adding: [authorization]).status == 200)
        #expect(try await server.wire(device: "device-2").refresh(second.sessionToken).errorCode == "IDAAS.SDK.COMMON.1005")
    }
}
