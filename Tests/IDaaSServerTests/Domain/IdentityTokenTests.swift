#if IDaaS
import Foundation
import IDaaSServer
import JWTCore
import JWTSigning
import Secrets
import Testing

@Suite("id_tokens")
struct IdentityTokenTests {
    private static let refused = ServiceError(.expired, "id_token")

    @Test("An id_token has the claims of the issuer")
    func claims() async throws {
        let domain = try await Domain()
        _ = try await domain.services.administration.addUser(
            mobile: Domain.mobile, name: "名\"\\", userName: "ming", email: "ming@example.com")
        try await domain.send()
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        let login = try await domain.services.login.login(mobile: Domain.mobile, code: code, nonce: "n-1", for: domain.caller())
        let claims = try domain.claims(of: login.idToken)
        let now = Int(domain.clock.now.seconds)
        let texts = [
            "iss": Domain.issuer, "sub": login.userID, "id": login.userID, "aud": "client-1", "azp": "client-1", "sid": login.sid,
            "nonce": "n-1", "name": "名\"\\", "mobile": Domain.mobile, "userName": "ming", "email": "ming@example.com",
        ]
        for (name, text) in texts { #expect(claims[name] as? String == text, "\(name)") }
        for (name, date) in ["iat": now, "nbf": now - 120, "exp": now + 7_200, "auth_time": now] {
            #expect(claims[name] as? Int == date, "\(name)")
        }
        #expect(claims["amr"] as? [String] == ["sms"])
        #expect((claims["jti"] as? String)?.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
        #expect(claims["acr"] is String && claims.count == texts.count + 7)
        #expect(login.idTokenExpiresIn == 7_200)
    }

    @Test("What is not known of a user is not claimed")
    func unknownClaims() async throws {
        let domain = try await Domain()
        let claims = try domain.claims(of: try await domain.login().idToken)
        for name in ["nonce", "name", "userName", "email"] { #expect(claims[name] == nil, "\(name)") }
    }

    @Test("A bearer is who logged in, when")
    func bearer() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let authenticated = domain.clock.now
        domain.clock.advance(600)
        let refreshed = try await domain.services.sessions.refresh(sessionToken: login.sessionToken, for: domain.caller())
        let bearer = try await domain.services.tokens.bearer(refreshed.idToken, for: domain.caller("D2"))
        #expect(bearer.userID == login.userID && bearer.sid == login.sid && bearer.authTime == authenticated)
    }

    @Test("An id_token is over at its exp and the leeway of 60 s", arguments: [(7_259, true), (7_260, false), (7_261, false)])
    func lifetime(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        domain.clock.advance(seconds)
        let refusal = try await refusal { try await domain.services.tokens.bearer(login.idToken, for: domain.caller()) }
        #expect(refusal == (works ? nil : Self.refused))
    }

    @Test("An id_token of another client is refused")
    func audience() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let other = Client(id: "client-2", name: "Other", settings: ClientSettings(), signatureKey: nil, created: domain.clock.now)
        let caller = domain.caller(client: other)
        #expect(try await refusal { try await domain.services.tokens.bearer(login.idToken, for: caller) } == Self.refused)
    }

    @Test("A state token, a session token, a captcha token and a forgery are no id_tokens")
    func otherTokens() async throws {
        let domain = try await Domain(limits: .wide)
        let login = try await domain.login()
        let payload = String(decoding: try JSONSerialization.data(withJSONObject: try domain.claims(of: login.idToken)), as: UTF8.self)
        let published = try await domain.services.keys.document().json
        let secret = try #require(SigningKey.secret(published, algorithm: .hs256, keyID: try Domain.keyID(of: login.idToken)))
        let stranger = try #require(SigningKey.generate(.es256, keyID: try Domain.keyID(of: login.idToken)))
        let unsigned = Data("{\"alg\":\"none\"}".utf8).base64EncodedString().replacing("=", with: "")
        let body = try #require(login.idToken.split(separator: ".").dropFirst().first)
        let tokens = [
            login.sessionToken, try await domain.captchaToken(), try #require(TokenSigner(secret).token(payload: payload)),
            try #require(TokenSigner(stranger).token(payload: payload)), "\(unsigned).\(body).", "", "a.b.c",
        ]
        let stateTokens = try StateTokens.Purpose.allCases.map { try domain.services.stateTokens.mint($0, for: domain.caller()) }
        for token in tokens + stateTokens {
            #expect(try await refusal { try await domain.services.tokens.bearer(token, for: domain.caller()) } == Self.refused)
        }
        _ = try await domain.services.tokens.bearer(login.idToken, for: domain.caller())
    }
}
#endif
