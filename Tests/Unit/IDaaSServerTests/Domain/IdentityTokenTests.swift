import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import JWTSigning
import Secrets
import Testing

struct IdentityTokenTests {
    private static let refused = ServiceError(.expired, "id_token")

    @Test
    func anIdTokenHasTheClaimsOfTheIssuer() async throws {
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
        #expect(claims["acr"] is String && claims["status"] is [String: Any] && claims.count == texts.count + 8)
        #expect(login.idTokenExpiresIn == .seconds(7_200))
    }

    @Test
    func whatIsNotKnownOfAUserIsNotClaimed() async throws {
        let domain = try await Domain()
        let claims = try domain.claims(of: try await domain.login().idToken)
        for name in ["nonce", "name", "userName", "email"] { #expect(claims[name] == nil, "\(name)") }
    }

    @Test
    func aBearerIsWhoLoggedInWhen() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let authenticated = domain.clock.now
        domain.clock.advance(by: 600)
        let refreshed = try await domain.services.sessions.refresh(sessionToken: login.sessionToken, for: domain.caller())
        let bearer = try await domain.services.tokens.bearer(refreshed.idToken, for: domain.caller("D2"))
        #expect(bearer.userID == login.userID && bearer.sid == login.sid && bearer.authTime == authenticated)
    }

    @Test
    func anIdTokenOfAnotherClientIsRefused() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let other = Client(id: "client-2", name: "Other", settings: ClientSettings(), signatureKey: nil, created: domain.clock.now)
        let caller = domain.caller(client: other)
        #expect(try await refusal { try await domain.services.tokens.bearer(login.idToken, for: caller) } == Self.refused)
    }
}
