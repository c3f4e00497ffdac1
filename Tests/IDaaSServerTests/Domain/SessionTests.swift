#if IDaaS
import Foundation
import IDaaSServer
import Secrets
import Testing

@Suite("Sessions")
struct SessionTests {
    private static let dead = ServiceError(.expired, "session_token")

    private func refresh(_ domain: Domain, _ token: String, _ device: String = "D1") async throws -> Authentication {
        try await domain.services.sessions.refresh(sessionToken: token, for: domain.caller(device))
    }

    @Test("A session token is 32 letters and digits, another one at each login, and not in the store")
    func token() async throws {
        let domain = try await Domain(limits: .wide)
        let logins = [try await domain.login(), try await domain.login()]
        #expect(logins.allSatisfy { $0.sessionToken.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil })
        #expect(logins[0].sessionToken != logins[1].sessionToken && logins[0].sid != logins[1].sid)
        #expect(logins[0].userID == logins[1].userID)
        try await domain.services.administration.backUp(to: domain.folder.appending(path: "copy").path)
        let bytes = try Data(contentsOf: domain.folder.appending(path: "copy"))
        #expect(bytes.range(of: Data("client-1".utf8)) != nil)
        for login in logins { #expect(bytes.range(of: Data(login.sessionToken.utf8)) == nil) }
    }

    @Test("A refresh gives a successor and a fresh id_token of the same login")
    func refreshed() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        domain.clock.advance(3_600)
        let next = try await refresh(domain, login.sessionToken)
        #expect(next.sessionToken != login.sessionToken && next.sid == login.sid && next.userID == login.userID)
        let (old, new) = (try domain.claims(of: login.idToken), try domain.claims(of: next.idToken))
        #expect(new["auth_time"] as? Int == old["auth_time"] as? Int)
        #expect(new["iat"] as? Int == (old["iat"] as? Int ?? 0) + 3_600)
        #expect(new["jti"] as? String != old["jti"] as? String)
    }

    @Test(
        "Within 30 s the same device gets the same successor again; afterwards reuse ends the family",
        arguments: [(0, true), (29, true), (30, false), (31, false)])
    func grace(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let next = try await refresh(domain, login.sessionToken)
        domain.clock.advance(seconds)
        if works {
            #expect(try await refresh(domain, login.sessionToken).sessionToken == next.sessionToken)
            #expect(try await refusal { try await refresh(domain, next.sessionToken) } == nil)
        } else {
            #expect(try await refusal { try await refresh(domain, login.sessionToken) } == Self.dead)
            #expect(try await refusal { try await refresh(domain, next.sessionToken) } == Self.dead)
        }
    }

    @Test("A lost reply is given again even when its successor was used meanwhile")
    func graceOfTwo() async throws {
        let domain = try await Domain()
        let first = try await domain.login().sessionToken
        let second = try await refresh(domain, first).sessionToken
        let third = try await refresh(domain, second).sessionToken
        #expect(try await refresh(domain, first).sessionToken == second)
        #expect(try await refresh(domain, second).sessionToken == third)
    }

    @Test("The same successor comes after a restart too")
    func restart() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let next = try await refresh(domain, login.sessionToken)
        let restarted = try await Domain(in: domain.folder, clock: domain.clock)
        #expect(try await refresh(restarted, login.sessionToken).sessionToken == next.sessionToken)
    }

    @Test("64 refreshes at once of one session from its device: one rotation, 64 times the same successor")
    func oneRotation() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let results = await concurrently(64) { _ in try await refresh(domain, login.sessionToken) }
        #expect(results.values().count == 64)
        #expect(Set(results.values().map(\.sessionToken)).count == 1)
        #expect(try await domain.store.read { try $0.session(login.sid)?.generation } == 1)
    }

    @Test("A session token on a second device is refused, and its family ends")
    func secondDevice() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        #expect(try await refusal { try await refresh(domain, login.sessionToken, "D2") } == Self.dead)
        #expect(try await refusal { try await refresh(domain, login.sessionToken) } == Self.dead)
    }

    @Test("A session token that nobody has is refused, and so is none")
    func unknown() async throws {
        let domain = try await Domain()
        #expect(try await refusal { try await refresh(domain, String(repeating: "a", count: 32)) } == Self.dead)
        #expect(try await refusal { try await refresh(domain, "") } == ServiceError(.missingParameter, "session-token"))
    }

    @Test("A client without rotation keeps its session token")
    func unrotated() async throws {
        var settings = ClientSettings()
        settings.rotatesSessionTokens = false
        let domain = try await Domain(settings: settings)
        let login = try await domain.login()
        domain.clock.advance(86_400)
        let next = try await refresh(domain, login.sessionToken)
        #expect(next.sessionToken == login.sessionToken && next.expire == 604_800)
        domain.clock.advance(86_400)
        #expect(try await refusal { try await refresh(domain, login.sessionToken) } == nil)
    }

    @Test("A session ends seven days after its last use", arguments: [(604_799, true), (604_800, false), (604_801, false)])
    func idle(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        #expect(login.expire == 604_800)
        domain.clock.advance(seconds)
        #expect(try await refusal { try await refresh(domain, login.sessionToken) } == (works ? nil : Self.dead))
    }

    @Test("A session ends thirty days after the login, however often it is refreshed", arguments: [(-1, true), (0, false), (1, false)])
    func absolute(_ offset: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        var token = try await domain.login().sessionToken
        for day in 1...29 {
            domain.clock.advance(86_400)
            let next = try await refresh(domain, token)
            #expect(next.expire == min(604_800, (30 - day) * 86_400))
            token = next.sessionToken
        }
        domain.clock.advance(86_400 + offset)
        #expect(try await refusal { try await refresh(domain, token) } == (works ? nil : Self.dead))
    }

    @Test("Logging out ends a session at the next request, and is no error twice")
    func logOut() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let sessions = domain.services.sessions
        _ = try await domain.services.tokens.bearer(login.idToken, for: domain.caller())
        for _ in 0..<2 { try await sessions.logOut(sessionToken: login.sessionToken, everywhere: false, for: domain.caller()) }
        #expect(try await refusal { try await refresh(domain, login.sessionToken) } == Self.dead)
        let refused = try await refusal { try await domain.services.tokens.bearer(login.idToken, for: domain.caller()) }
        #expect(refused == ServiceError(.expired, "id_token"))
        try await sessions.logOut(sessionToken: "unheard of", everywhere: true, for: domain.caller())
    }

    @Test("Logging out everywhere ends the other sessions too; from a stranger's device it does not")
    func everywhere() async throws {
        let domain = try await Domain(limits: .wide)
        let logins = [try await domain.login(), try await domain.login(), try await domain.login()]
        let sessions = domain.services.sessions
        try await sessions.logOut(sessionToken: logins[0].sessionToken, everywhere: true, for: domain.caller("D2"))
        #expect(try await refusal { try await refresh(domain, logins[0].sessionToken) } == Self.dead)
        let second = try await refresh(domain, logins[1].sessionToken)
        try await sessions.logOut(sessionToken: second.sessionToken, everywhere: true, for: domain.caller())
        #expect(try await refusal { try await refresh(domain, logins[2].sessionToken) } == Self.dead)
    }

    @Test("A token that was rotated away logs out everywhere only while a lost reply explains it", arguments: [(29, true), (30, false)])
    func everywhereWithAnOldToken(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain(limits: .wide)
        let logins = [try await domain.login(), try await domain.login()]
        let successor = try await refresh(domain, logins[0].sessionToken).sessionToken
        domain.clock.advance(seconds)
        try await domain.services.sessions.logOut(sessionToken: logins[0].sessionToken, everywhere: true, for: domain.caller())
        #expect(try await refusal { try await refresh(domain, logins[1].sessionToken) } == (works ? Self.dead : nil))
        #expect(try await refusal { try await refresh(domain, successor) } == Self.dead)
    }

    @Test("A session that is over logs out nowhere else", arguments: [(604_799, true), (604_800, false)])
    func everywhereWhenOver(_ seconds: Int, _ works: Bool) async throws {
        let domain = try await Domain(limits: .wide)
        let first = try await domain.login()
        domain.clock.advance(10)
        let second = try await domain.login()
        domain.clock.advance(seconds - 10)
        try await domain.services.sessions.logOut(sessionToken: first.sessionToken, everywhere: true, for: domain.caller())
        #expect(try await refusal { try await refresh(domain, second.sessionToken) } == (works ? Self.dead : nil))
    }

    @Test("A user sees the own living sessions, and ends one of them")
    func own() async throws {
        let domain = try await Domain(limits: .wide)
        let first = try await domain.login()
        domain.clock.advance(10)
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
#endif
