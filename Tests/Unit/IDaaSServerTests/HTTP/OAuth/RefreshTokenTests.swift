import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// Refresh tokens of grants: they rotate (RFC 9700 section 4.14.2).
struct RefreshTokenTests {
    @Test
    func eachRefreshGivesAnotherTokenOfTheSameGrant() async throws {
        try await OAuthStage.with { stage in
            var (client, reply, token) = try await stage.granted(["scope": "read"])
            let first = try OAuthStage.claims(reply)
            for _ in 0..<3 {
                stage.server.clock.advance(by: 500)
                reply = try await stage.refresh(token, client, ["resource": OAuthStage.files])
                let next = try #require(reply.string("refresh_token"))
                #expect(next != token && reply.string("scope") == "read" && reply.string("id_token") == nil)
                token = next
                let claims = try OAuthStage.claims(reply)
                for name in ["sid", "sub", "aud", "client_id", "scope"] { #expect(claims[name] as? String == first[name] as? String) }
                #expect(claims["auth_time"] as? Int == first["auth_time"] as? Int && claims["jti"] as? String != first["jti"] as? String)
            }
            #expect(stage.server.auditLines.filter { $0.contains("\"authorization.refresh\"") && $0.contains("\"ok\"") }.count == 3)
        }
    }

    /// The answer may have been lost.
    @Test
    func withinThirtySecondsTheSameTokenHasTheSameSuccessor() async throws {
        try await OAuthStage.with { stage in
            let (client, _, token) = try await stage.granted()
            let first = try await stage.refresh(token, client).string("refresh_token")
            stage.server.clock.advance(by: 29)
            #expect(try await stage.refresh(token, client).string("refresh_token") == first && first != nil)
        }
    }

    @Test
    func aTokenThatComesAgainLaterEndsTheGrant() async throws {
        try await OAuthStage.with { stage in
            let (client, _, token) = try await stage.granted()
            let next = try #require(try await stage.refresh(token, client).string("refresh_token"))
            stage.server.clock.advance(by: 31)
            #expect(try await stage.refresh(token, client).string("error") == "invalid_grant")
            #expect(try await stage.refresh(next, client).string("error") == "invalid_grant")
            #expect(stage.server.auditLines.contains { $0.contains("\"session.revoked\"") && $0.contains("\"reuse\"") })
        }
    }

    @Test
    func aTokenAtAnotherClientEndsTheGrant() async throws {
        try await OAuthStage.with { stage in
            let (client, _, token) = try await stage.granted()
            #expect(try await stage.refresh(token, try await stage.registered()).string("error") == "invalid_grant")
            #expect(try await stage.refresh(token, client).string("error") == "invalid_grant")
        }
    }

    /// Neither a session token of an app nor the other way round.
    @Test
    func aRefreshTokenIsNoSessionToken() async throws {
        try await OAuthStage.with { stage in
            let session = try await stage.server.logIn()
            #expect(try await stage.refresh(session.sessionToken, LiveServer.client).string("error") == "invalid_grant")
            #expect(try await stage.wire.refresh(session.sessionToken).status == 200)
            for device in ["device-1", "oauth.grant"] {
                let (client, _, token) = try await stage.granted()
                let reply = try await stage.server.wire(client: client, device: device).refresh(token)
                #expect(reply.status == 400 && reply.errorCode == "IDAAS.SDK.COMMON.1005")
                #expect(try await stage.refresh(token, client).string("error") == "invalid_grant")
            }
        }
    }

    static let faults: [(changes: [String: String?], error: String)] = [
        (["resource": OAuthStage.notes], "invalid_target"), (["resource": "https://other.example"], "invalid_target"),
        (["scope": "write"], "invalid_scope"), (["scope": "read openid"], "invalid_scope"), (["refresh_token": "a"], "invalid_grant"),
        (["refresh_token": nil], "invalid_request"), (["client_id": "nobody"], "invalid_client"),
        (["client_secret": "x"], "invalid_client"),
    ]

    @Test(arguments: faults)
    func aWrongRefreshCostsNothing(_ changes: [String: String?], error: String) async throws {
        try await OAuthStage.with { stage in
            let (client, _, token) = try await stage.granted(["scope": "read"])
            #expect(try await stage.refresh(token, client, changes).string("error") == error)
            stage.server.clock.advance(by: 60)
            #expect(try await stage.refresh(token, client).status == 200)
        }
    }

    @Test
    func aNarrowerScopeIsForOneAccessToken() async throws {
        try await OAuthStage.with { stage in
            let (client, _, token) = try await stage.granted()
            let narrow = try await stage.refresh(token, client, ["scope": "write"])
            #expect(narrow.string("scope") == "write")
            #expect(try OAuthStage.claims(narrow)["scope"] as? String == "write")
            let whole = try await stage.refresh(try #require(narrow.string("refresh_token")), client)
            #expect(whole.string("scope") == "read write")
        }
    }

    @Test
    func aGrantEndsWithItsUserItsClientAndItsTime() async throws {
        try await OAuthStage.with { stage in
            let administration = stage.server.server.services.administration
            let (removed, _, lost) = try await stage.granted()
            try await administration.removeClient(removed)
            #expect(try await stage.refresh(lost, removed).string("error") == "invalid_client")
            let (old, _, stale) = try await stage.granted()
            stage.server.clock.advance(by: 604_801)
            #expect(try await stage.refresh(stale, old).string("error") == "invalid_grant")
            let (client, reply, token) = try await stage.granted()
            try await administration.lockUser(try #require(try OAuthStage.claims(reply)["sub"] as? String))
            #expect(try await stage.refresh(token, client).string("error") == "invalid_grant")
        }
    }
}
