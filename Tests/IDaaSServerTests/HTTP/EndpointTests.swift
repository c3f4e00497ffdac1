#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import JWTCore
import Secrets
import Testing

@Suite("The endpoints, over a socket")
struct EndpointTests {
    private static let mobile = "+86-13800000000"

    @Test("Discovery names the issuer, the keys and what is served, and no flow that is not")
    func discovery() async throws {
        try await LiveServer.with { server in
            let reply = try await server.wire().send("GET", "/api/v1/oauth2/.well-known/openid-configuration", [])
            #expect(reply.status == 200)
            #expect(reply.string("issuer") == server.ready.url + "/api/v1/oauth2")
            #expect(reply.string("jwks_uri") == server.ready.url + "/api/v1/oauth2/keys")
            #expect(reply.json["id_token_signing_alg_values_supported"] as? [String] == ["RS256"])
            let tag = try #require(reply.field("ETag"))
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 10)
            let path = "/api/v1/oauth2/.well-known/openid-configuration"
            let again = try await server.wire().send("GET", path, [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
            #expect(again.field("Cache-Control") == "public, max-age=300")
            #expect(try await server.wire().send("GET", path, [("If-None-Match", "\"other\"")]).text == reply.text)
            #expect(reply.json.keys.allSatisfy { !$0.hasSuffix("_endpoint") && !$0.hasPrefix("response_") && !$0.hasPrefix("backchannel") })
        }
    }

    @Test("Keys may be kept for 300 s, and a copy that is still right is not sent again")
    func keys() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
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
    }

    @Test("The date is milliseconds in a string, and the public key encrypts")
    func system() async throws {
        try await LiveServer.with { server in
            let date = try await server.wire().get("/api/v2/sdk/server-date")
            #expect(date.string("timestamp") == String(server.clock.now.milliseconds))
            let key = try await server.wire().get("/api/v2/sdk/public-key")
            #expect(EncryptionKey(document: try #require(key.string("public_key"))) != nil)
            let codes = try await server.wire().get("/api/v2/sdk/country-codes")
            #expect(codes.string("preferredAreaCode") == "CN")
            let definitions = try #require(codes.json["phoneAreaCodeDefinitions"] as? [[String: Any]])
            #expect(definitions.compactMap { $0["areaCode"] as? String }.contains("852"))
        }
    }

    @Test("A captcha has AJ-Captcha's members, and its place in none of them")
    func captcha() async throws {
        try await LiveServer.with { server in
            let reply = try await server.wire().get("/api/v2/sdk/captcha")
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
    }

    @Test("A wrong place is SMS.1003, a place that is none SMS.1002")
    func wrongPlace() async throws {
        try await LiveServer.with { server in
            var wire = server.wire()
            wire.language = "en"
            for (point, code) in [("{\"x\":1.0,\"y\":5.0}", "SMS.1003"), ("nonsense", "SMS.1002")] {
                let token = try await wire.get("/api/v2/sdk/captcha").string("token") ?? ""
                let reply = try await wire.post(
                    "/api/v2/sdk/captcha/verify", ["token": token, "point_json": point, "sender": Self.mobile])
                #expect(reply.status == 400 && reply.errorCode == "IDAAS.SDK." + code)
                #expect(reply.errorText?.hasPrefix("blockPuzzle verification code coordinate") == true)
                #expect(reply.details["args"] as? [String] == ["blockPuzzle"])
            }
        }
    }

    @Test("A code is sent without a body, or with the numbers for whoever prefers a representation")
    func sending() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
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
    }

    @Test("Types that are not served, or are none, are SMS.1007", arguments: ["REGISTER_SMS", "BIND_MOBILE_SMS", "MFA_AUTH_SMS", "x"])
    func scenario(type: String) async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
            let token = try await wire.solvedCaptcha(for: Self.mobile, server.solver)
            #expect(try await wire.send(to: Self.mobile, captchaToken: token, type: type).errorCode == "IDAAS.SDK.SMS.1007")
        }
    }

    @Test("A second SMS within a minute is 429 with Retry-After and the seconds in details")
    func limit() async throws {
        try await LiveServer.with { server in
            var wire = server.wire()
            wire.language = "en"
            try await server.sendCode(to: Self.mobile, with: wire)
            server.clock.advance(by: 20)
            let token = try await wire.solvedCaptcha(for: Self.mobile, server.solver)
            let reply = try await wire.send(to: Self.mobile, captchaToken: token)
            #expect(reply.status == 429 && reply.errorCode == "IDAAS.SDK.RATE.1001")
            #expect(reply.field("Retry-After") == "40" && reply.details["retry_after"] as? Int == 40)
            #expect(reply.errorText == "Too many requests. Try again in 40 seconds")
        }
    }

    @Test("A login gives T, and its id_token verifies with the published keys")
    func login() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
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
            let verifier = TokenVerifier(
                keys: try KeySet(jwks: published.body.span), policy: policy,
                clock: FixedClock(NumericDate(seconds: server.clock.now.seconds)))
            _ = try verifier.verify(try #require(reply.string("id_token")))
            let replay = try await wire.login(Self.mobile, code: code)
            #expect(replay.status == 400 && replay.errorCode == "IDAAS.SDK.SMS.1005")
        }
    }

    @Test("A refresh rotates the session token, and a token that is none is COMMON.1005")
    func refresh() async throws {
        try await LiveServer.with { server in
            let tokens = try await server.logIn()
            var wire = server.wire()
            wire.language = "en"
            let reply = try await wire.refresh(tokens.sessionToken)
            #expect(reply.status == 200)
            #expect(Set(reply.json.keys) == ["session_token", "expire", "id_token", "id_token_expires_in"])
            #expect(reply.string("session_token") != tokens.sessionToken)
            let unknown = try await wire.refresh("nonsense")
            #expect(unknown.errorCode == "IDAAS.SDK.COMMON.1005" && unknown.errorText == "The session_token has failed")
            let missing = try await wire.post("/api/v2/sdk/sso/session-token/id-token")
            #expect(missing.errorText == "Parameter session-token cannot be left blank")
        }
    }

    @Test("X-signature refreshes with an id_token alone and logs out, and nonsense in it is COMMON.1004")
    func signature() async throws {
        try await LiveServer.with { server in
            let tokens = try await server.logIn()
            let wire = server.wire()
            let key = try #require(EncryptionKey(document: try await wire.get("/api/v2/sdk/public-key").string("public_key") ?? ""))
            let sign = { (nonce: String) in
                let text = "session_token=\(tokens.sessionToken)&timestamp=\(server.clock.now.milliseconds)&nonce=\(nonce)"
                return ("X-signature", Data(try #require(key.encrypt(Array(text.utf8), mask: .sha256))).base64EncodedString())
            }
            let path = "/api/v2/sdk/session-token/refresh-id-token"
            let signature = try sign("n-1")
            let reply = try await wire.post(path, adding: [signature])
            #expect(reply.status == 200 && Set(reply.json.keys) == ["id_token"])
            #expect(try await wire.post(path, adding: [signature]).status == 400)
            for bad in ["nonsense", "AAAA", String(repeating: "A", count: 344)] {
                #expect(try await wire.post(path, adding: [("X-signature", bad)]).errorCode == "IDAAS.SDK.COMMON.1004")
            }
            #expect(try await wire.post("/api/v2/sdk/logout", adding: [try sign("n-2")]).status == 200)
            #expect(try await wire.refresh(tokens.sessionToken).errorCode == "IDAAS.SDK.COMMON.1005")
        }
    }

    @Test("Logging out ends the session by POST and by GET, and again is no error", arguments: ["POST", "GET"])
    func logout(method: String) async throws {
        try await LiveServer.with { server in
            let tokens = try await server.logIn()
            let wire = server.wire()
            for _ in 0..<2 {
                let reply = try await wire.send(method, "/api/v2/sdk/logout", wire.fields + [("session-token", tokens.sessionToken)])
                #expect(reply.status == 200 && reply.json.isEmpty && reply.text == "{}")
            }
            #expect(try await wire.refresh(tokens.sessionToken).errorCode == "IDAAS.SDK.COMMON.1005")
            #expect(try await wire.sessions(tokens.idToken).errorCode == "IDAAS.SDK.COMMON.1005")
            let wrong = try await wire.post("/api/v2/sdk/logout", ["all": "yes"], adding: [("session-token", tokens.sessionToken)])
            #expect(wrong.errorCode == "IDAAS.SDK.COMMON.1007")
        }
    }

    @Test("A user's sessions are listed and ended, by the holder of an id_token alone")
    func sessions() async throws {
        try await LiveServer.with { server in
            let first = try await server.logIn(device: "device-1")
            server.clock.advance(by: 61)
            let second = try await server.logIn(device: "device-2")
            let wire = server.wire()
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
            #expect(try await wire.delete("/api/v2/sdk/sessions/nobody", adding: [authorization]).status == 400)
            #expect(try await wire.get("/api/v2/sdk/sessions").errorCode == "IDAAS.SDK.COMMON.1001")
            #expect(
                try await wire.get("/api/v2/sdk/sessions", adding: [("Authorization", "Basic eA==")]).errorCode == "IDAAS.SDK.COMMON.1002")
            #expect(try await wire.sessions("nonsense").errorCode == "IDAAS.SDK.COMMON.1005")
        }
    }
}

/// Stands still.
private struct FixedClock: UnixClock {
    let now: NumericDate
    init(_ now: NumericDate) { self.now = now }
}
#endif
