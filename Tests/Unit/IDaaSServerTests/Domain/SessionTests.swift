import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct SessionTests {
    private static let dead = ServiceError(.expired, "session_token")

    private func refresh(_ domain: Domain, _ token: String, _ device: String = "D1") async throws -> Authentication {
        try await domain.services.sessions.refresh(sessionToken: token, for: domain.caller(device))
    }

    @Test
    func aRefreshGivesASuccessorAndAFreshIdTokenOfTheSameLogin() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        domain.clock.advance(by: 3_600)
        let next = try await refresh(domain, login.sessionToken)
        #expect(next.sessionToken != login.sessionToken && next.sid == login.sid && next.userID == login.userID)
        let (old, new) = (try domain.claims(of: login.idToken), try domain.claims(of: next.idToken))
        #expect(new["auth_time"] as? Int == old["auth_time"] as? Int)
        #expect(new["iat"] as? Int == (old["iat"] as? Int ?? 0) + 3_600)
        #expect(new["jti"] as? String != old["jti"] as? String)
    }

    @Test
    func aLostReplyIsGivenAgainEvenWhenItsSuccessorWasUsedMeanwhile() async throws {
        let domain = try await Domain()
        let first = try await domain.login().sessionToken
        let second = try await refresh(domain, first).sessionToken
        let third = try await refresh(domain, second).sessionToken
        #expect(try await refresh(domain, first).sessionToken == second)
        #expect(try await refresh(domain, second).sessionToken == third)
    }

    @Test
    func aClientWithoutRotationKeepsItsSessionToken() async throws {
        let domain = try await Domain(settings: { $0.rotatesSessionTokens = false })
        let login = try await domain.login()
        domain.clock.advance(by: 86_400)
        let next = try await refresh(domain, login.sessionToken)
        #expect(next.sessionToken == login.sessionToken && next.expire == .seconds(604_800))
        domain.clock.advance(by: 86_400)
        #expect(try await refusal { try await refresh(domain, login.sessionToken) } == nil)
    }

    /// A replaced token logs out everywhere only while a lost reply explains it.
    @Test(arguments: [(29, true), (30, false)])
    func aReplacedTokenLogsOutEverywhereForAShortTime(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain(limits: .without())
        let logins = [try await domain.login(), try await domain.login()]
        let successor = try await refresh(domain, logins[0].sessionToken).sessionToken
        domain.clock.advance(by: seconds)
        try await domain.services.sessions.logOut(sessionToken: logins[0].sessionToken, everywhere: true, for: domain.caller())
        #expect(try await refusal { try await refresh(domain, logins[1].sessionToken) } == (works ? Self.dead : nil))
        #expect(try await refusal { try await refresh(domain, successor) } == Self.dead)
    }

    @Test(arguments: [(604_799, true), (604_800, false)])
    func aSessionThatIsOverLogsOutNowhereElse(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain(limits: .without())
        let first = try await domain.login()
        domain.clock.advance(by: 10)
        let second = try await domain.login()
        domain.clock.advance(by: seconds - 10)
        try await domain.services.sessions.logOut(sessionToken: first.sessionToken, everywhere: true, for: domain.caller())
        #expect(try await refusal { try await refresh(domain, second.sessionToken) } == (works ? Self.dead : nil))
    }

    @Test
    func aUserSeesTheOwnLivingSessionsAndEndsOneOfThem() async throws {
        let domain = try await Domain(limits: .without())
        let first = try await domain.login()
        domain.clock.advance(by: 10)
        let second = try await domain.login()
        let stranger = try await domain.login(to: "+86-13900000000")
        let sessions = domain.services.sessions
        let bearer = try await domain.services.tokens.bearer(first.idToken, for: domain.caller())
        let listed = try await sessions.list(of: bearer)
        #expect(listed.map(\.id) == [second.sid, first.sid] && listed.map(\.isCurrent) == [false, true])
        #expect(listed.allSatisfy { $0.deviceName == "Android 10" })
        #expect(try await refusal { try await sessions.end(stranger.sid, by: bearer) } == ServiceError(.invalidParameter, "id"))
        for _ in 0..<2 { try await sessions.end(second.sid, by: bearer) }
        #expect(try await sessions.list(of: bearer).map(\.id) == [first.sid])
        #expect(try await refusal { try await refresh(domain, second.sessionToken) } == Self.dead)
        #expect(try await refusal { try await refresh(domain, stranger.sessionToken) } == nil)
    }
}
