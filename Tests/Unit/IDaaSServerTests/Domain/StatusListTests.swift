import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Testing
import TokenStatus

/// What the published lists say of sessions.
struct StatusListTests {
    private static let pause = 30

    @Test
    func anIdTokenNamesAPlaceInAListThatVerifies() async throws {
        let domain = try await Domain(statusLists: { $0.size = 1 << 20 })
        let login = try await domain.login()
        let named = try await NamedStatus(login.idToken, domain.services)
        #expect(named.uri.wholeMatch(of: /https:\/\/id\.example\/status-lists\/[0-9A-Za-z]{16}/) != nil)
        let list = try #require(try await named.published(by: domain.services))
        let now = NumericDate(seconds: domain.clock.now.seconds)
        #expect(list.issuer == Domain.issuer && list.issuedAt == now && list.timeToLive == .seconds(300))
        #expect(list.expiration == now.advanced(by: .seconds(7_200)))
        // 128 KiB, which `published` has as its limit.
        #expect(list.bits == 1 && list.count == 1 << 20 && list.status(at: named.index) == 0)
        let token = try #require(try await domain.services.statusLists.document(of: named.list)?.token)
        let header = try TokenPart.header.json(in: String(decoding: token, as: UTF8.self))
        #expect(header["typ"] as? String == "statuslist+jwt" && header["alg"] as? String == "ES256")
    }

    @Test
    func everyIdTokenOfASessionNamesTheSamePlace() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let first = try await NamedStatus(login.idToken, domain.services)
        domain.clock.advance(by: 5 * 86_400)
        let next = try await domain.services.sessions.refresh(sessionToken: login.sessionToken, for: domain.caller())
        #expect(try await NamedStatus(next.idToken, domain.services) == first)
    }

    /// A way to end a session.
    private struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: @Sendable (QuickLogins, Authentication) async throws -> Void

        init(_ name: String, _ end: @Sendable @escaping (QuickLogins, Authentication) async throws -> Void) {
            testDescription = name
            self.end = end
        }
    }

    private static let endings = [
        Ending("logout") { quick, login in
            try await quick.services.sessions.logOut(sessionToken: login.sessionToken, everywhere: false, for: quick.domain.caller())
        },
        Ending("logout of another session, everywhere") { quick, _ in
            let other = try await quick.login(0, device: "D2")
            try await quick.services.sessions.logOut(sessionToken: other.sessionToken, everywhere: true, for: quick.domain.caller("D2"))
        },
        Ending("in the list of one's sessions") { quick, login in
            let bearer = try await quick.services.tokens.bearer(login.idToken, for: quick.domain.caller())
            try await quick.services.sessions.end(login.sid, by: bearer)
        },
        Ending("end_session") { quick, login in
            _ = try await quick.services.codes.end(hint: login.idToken, redirectURI: nil, state: nil)
        },
        Ending("a token on another device") { quick, login in
            _ = try await refusal {
                try await quick.services.sessions.refresh(sessionToken: login.sessionToken, for: quick.domain.caller("D2"))
            }
        },
        Ending("a token that was replaced long ago") { quick, login in
            let caller = quick.domain.caller()
            _ = try await quick.services.sessions.refresh(sessionToken: login.sessionToken, for: caller)
            quick.domain.clock.advance(by: 31)
            _ = try await refusal { try await quick.services.sessions.refresh(sessionToken: login.sessionToken, for: caller) }
        },
        Ending("a locked user") { quick, login in try await quick.services.administration.lockUser(login.userID) },
        Ending("a deleted user") { quick, login in try await quick.services.administration.deleteUser(login.userID) },
        Ending("another password") { quick, login in
            try await quick.services.administration.setPassword(of: login.userID, to: "another long password")
        },
    ]

    @Test(arguments: endings)
    private func aSessionThatEndedIsInvalidInTheNextList(_ ending: Ending) async throws {
        let quick = try await QuickLogins()
        try await quick.addUsers(2)
        let (login, other) = (try await quick.login(0), try await quick.login(1))
        let named = try await NamedStatus(login.idToken, quick.services)
        let namedByOther = try await NamedStatus(other.idToken, quick.services)
        #expect(try await named.status(by: quick.services) == 0)
        try await ending.end(quick, login)
        quick.domain.clock.advance(by: Self.pause)
        #expect(try await named.status(by: quick.services) == 1)
        #expect(try await namedByOther.status(by: quick.services) == 0)
    }

    @Test
    func theSessionsOfARemovedClientAreInvalid() async throws {
        let domain = try await Domain()
        let named = try await NamedStatus(try await domain.login().idToken, domain.services)
        #expect(try await named.status(by: domain.services) == 0)
        try await domain.services.administration.removeClient("client-1")
        domain.clock.advance(by: Self.pause)
        #expect(try await named.status(by: domain.services) == 1)
    }

    /// Its id_tokens have expired, or will; nobody revoked them.
    @Test
    func aSessionWhoseTimeIsOverIsNotInvalid() async throws {
        let domain = try await Domain()
        let named = try await NamedStatus(try await domain.login().idToken, domain.services)
        domain.clock.advance(by: 15 * 86_400)
        try await domain.services.maintain()
        #expect(try await named.status(by: domain.services) == 0)
    }

    @Test
    func aStatusIsThereThoughAnotherServersClockIsBehind() async throws {
        let quick = try await QuickLogins()
        try await quick.addUsers(1)
        let login = try await quick.login()
        let named = try await NamedStatus(login.idToken, quick.services)
        var environment = quick.domain.services.environment.value
        environment = ServiceEnvironment(
            store: environment.store, clock: ManualServerClock(quick.domain.clock.now - .seconds(50)), serverKey: environment.serverKey,
            issuer: environment.issuer, gateway: environment.gateway)
        let behind = Services(environment)
        try await quick.services.sessions.logOut(sessionToken: login.sessionToken, everywhere: false, for: quick.domain.caller())
        #expect(try await named.status(by: behind) == 1)
    }

    // How often a list is made

    private static let reading = "SELECT place FROM revoked_statuses"

    @Test
    func aListIsMadeOnceInAPauseHoweverManyAsk() async throws {
        let domain = try await Domain()
        let (services, log) = (domain.services, domain.statements)
        let list = try await NamedStatus(try await domain.login().idToken, services).list
        for (advance, expected) in [(0, 1), (Self.pause - 1, 0), (1, 1)] {
            domain.clock.advance(by: advance)
            _ = log.take()
            let results = await concurrently(64) { _ in try await services.statusLists.document(of: list)?.entityTag }
            #expect(Set(results.values()).count == 1 && results.values().count == 64)
            #expect(log.take().filter { $0.contains(Self.reading) }.count == expected, "after \(advance) s")
        }
    }

    /// An unchanged list keeps its tag, while more than half of its life is left.
    @Test
    func anUnchangedListIsSignedAgainAfterAnHour() async throws {
        // So few places have no decoys.
        let domain = try await Domain(statusLists: { $0.size = 64 })
        let list = try await NamedStatus(try await domain.login().idToken, domain.services).list
        var tags: [String] = []
        for advance in [0, 30, 3_540, 30, 30] {
            domain.clock.advance(by: advance)
            tags.append(try #require(try await domain.services.statusLists.document(of: list)).entityTag)
        }
        #expect(tags[0] == tags[1] && tags[1] == tags[2] && tags[2] != tags[3] && tags[3] == tags[4])
    }

    @Test
    func aListIsSignedAgainWithTheNextKey() async throws {
        let domain = try await Domain()
        let named = try await NamedStatus(try await domain.login().idToken, domain.services)
        let first = try #require(try await domain.services.statusLists.document(of: named.list))
        let key = try #require(try Domain.keyID(of: String(decoding: first.token, as: UTF8.self)))
        try await domain.services.keys.revoke(key)
        domain.clock.advance(by: Self.pause)
        #expect(try await named.status(by: domain.services) == 0)
        let second = try #require(try await domain.services.statusLists.document(of: named.list))
        #expect(try Domain.keyID(of: String(decoding: second.token, as: UTF8.self)) != key)
    }

    @Test
    func aServerThatMayKeepNothingMakesEachListAnew() async throws {
        let domain = try await Domain(statusLists: { $0.keptBytes = 0 })
        let named = try await NamedStatus(try await domain.login().idToken, domain.services)
        _ = domain.statements.take()
        for _ in 0..<3 { #expect(try await named.status(by: domain.services) == 0) }
        #expect(domain.statements.take().filter { $0.contains(Self.reading) }.count == 3)
    }

    /// It signed lists that expire later than its last id_token.
    @Test(arguments: [(7_859, [.retiring, .active]), (7_860, [.gone, .active])] as [(Int, [KeyState])])
    func aKeyStaysPublishedAsLongAsItsLastListMayBeUsed(_ seconds: Int, _ states: [KeyState]) async throws {
        var lifetimes = Lifetimes()
        lifetimes.idToken = .seconds(60)
        let domain = try await Domain(lifetimes: lifetimes)
        try await domain.services.keys.rotate(now: true)
        domain.clock.advance(by: seconds)
        #expect(try await domain.services.keys.list().map(\.state) == states)
    }

    // Without lists

    @Test
    func withoutListsThereIsNoClaimAndNoList() async throws {
        let quick = try await QuickLogins()
        try await quick.addUsers(1)
        let before = try await quick.login()
        let named = try await NamedStatus(before.idToken, quick.services)
        let without = try await QuickLogins(on: quick.domain, statusLists: { $0.isEnabled = false })
        #expect(try await without.services.statusLists.document(of: named.list) == nil)
        let login = try await without.login(0, device: "D2")
        await #expect(throws: NamedStatus.Absent.self) { try await NamedStatus(login.idToken, without.services) }
        let old = try await without.services.sessions.refresh(sessionToken: before.sessionToken, for: quick.domain.caller())
        await #expect(throws: NamedStatus.Absent.self) { try await NamedStatus(old.idToken, without.services) }
        // What ends meanwhile is invalid when the lists are there again.
        try await without.services.sessions.logOut(sessionToken: old.sessionToken, everywhere: false, for: quick.domain.caller())
        quick.domain.clock.advance(by: Self.pause)
        #expect(try await named.status(by: quick.services) == 1)
        // A session that began without lists gets its place with its next id_token.
        let next = try await quick.services.sessions.refresh(sessionToken: login.sessionToken, for: quick.domain.caller("D2"))
        let late = try await NamedStatus(next.idToken, quick.services)
        #expect(try await late.status(by: quick.services) == 0)
        try await quick.services.sessions.logOut(sessionToken: next.sessionToken, everywhere: false, for: quick.domain.caller("D2"))
        quick.domain.clock.advance(by: Self.pause)
        #expect(try await late.status(by: quick.services) == 1)
    }

    @Test(arguments: ["", "unknown", "0000000000000000", "%00", "名", "a/b"])
    func anUnknownListIsNone(_ id: String) async throws {
        let domain = try await Domain()
        #expect(try await domain.services.statusLists.document(of: id) == nil)
    }
}
