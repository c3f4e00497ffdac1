import IDaaSServer
import IDaaSTestSupport
import JWTCore
import Testing
import TokenStatus

/// Which places sessions get, which are decoys, and how long a list lives.
struct StatusPlaceTests {
    private static let day = 86_400

    /// With 64 places, most logins meet places that are taken.
    @Test
    func aFullListIsFollowedByAnotherAndNoPlaceIsGivenTwice() async throws {
        let quick = try await QuickLogins(statusLists: { $0.size = 64 })
        try await quick.addUsers(1)
        var places: [NamedStatus] = []
        for _ in 0..<130 { places.append(try await NamedStatus(try await quick.login().idToken, quick.services)) }
        #expect(Set(places).count == 130)
        let lists = Dictionary(grouping: places, by: \.list)
        #expect(lists.count >= 3 && lists.values.allSatisfy { $0.count <= 64 && $0.allSatisfy { (0..<64).contains($0.index) } })
        // A new list is opened only where the one before has none left, or nearly none.
        #expect(lists.count <= 8)
        #expect(places.map(\.index) != places.map(\.index).sorted())
    }

    @Test
    func of200LoginsAtTwoServersNoTwoGetOnePlace() async throws {
        let first = try await QuickLogins(statusLists: { $0.size = 1_024 })
        let second = try await QuickLogins(on: first.domain, statusLists: { $0.size = 1_024 })
        try await first.addUsers(40)
        let results = await concurrently(200) { ordinal in
            let quick = ordinal % 2 == 0 ? first : second
            let login = try await quick.login(ordinal % 40, device: "D\(ordinal)")
            return try await NamedStatus(login.idToken, quick.services)
        }
        #expect(results.values().count == 200 && Set(results.values()).count == 200)
        #expect(Set(results.values().map(\.list)).count == 1)
    }

    @Test
    func atTheStoreATakenOrRevokedPlaceIsRefused() async throws {
        let domain = try await Domain()
        let login = try await domain.login()
        let named = try await NamedStatus(login.idToken, domain.services)
        try await domain.store.write { [list = named.list, taken = named.index] store throws in
            var session = try #require(try store.session(login.sid))
            #expect(session.status == StatusPlace(list: list, index: taken))
            session.id = "other"
            #expect(try !store.insert(session) && store.session("other") == nil)
            session.status?.index = (taken + 1) % 4_096
            try store.add([StatusDecoy(index: (taken + 1) % 4_096, since: session.authenticated + .seconds(1_000_000_000))], to: "more")
            try store.add([StatusDecoy(index: (taken + 2) % 4_096, since: session.authenticated)], to: "more")
            session.status = StatusPlace(list: "more", index: (taken + 1) % 4_096)
            #expect(try !store.insert(session))
            session.status = StatusPlace(list: "more", index: (taken + 3) % 4_096)
            #expect(try store.insert(session) && store.session("other") == session)
            #expect(try !store.place("other", at: StatusPlace(list: "more", index: (taken + 2) % 4_096)))
            #expect(try !store.place("other", at: StatusPlace(list: list, index: taken)))
            #expect(try store.place("other", at: StatusPlace(list: "more", index: (taken + 4) % 4_096)))
            #expect(try store.session("other")?.status?.index == (taken + 4) % 4_096)
        }
    }

    // Decoys

    /// The number of statuses in a list that are 1.
    private func count(_ named: NamedStatus, _ domain: Domain) async throws -> Int {
        let list = try #require(try await named.published(by: domain.services))
        return (0..<list.count).count { list.status(at: $0) == 1 }
    }

    /// 64 of 65,536 places at least and 512 at most, shown little by little; none is a session's.
    @Test
    func decoysAppearInTheCourseOfTheListsLife() async throws {
        let domain = try await Domain(statusLists: { $0.size = 1 << 16 })
        let named = try await NamedStatus(try await domain.login().idToken, domain.services)
        var counts: [Int] = []
        for days in [0, 2, 10, 24] {
            domain.clock.advance(by: days * Self.day)
            counts.append(try await count(named, domain))
        }
        domain.clock.advance(by: 1 * Self.day + 7_200)
        counts.append(try await count(named, domain))
        #expect(counts[0] < 32 && counts == counts.sorted() && Set(counts).count >= 4, "\(counts)")
        #expect((64...512).contains(counts[4]), "\(counts)")
        #expect(try await named.status(by: domain.services) == 0)
    }

    // The life of a list

    @Test
    func aListTakesSessionsForSevenDays() async throws {
        let quick = try await QuickLogins()
        try await quick.addUsers(1)
        var lists: [String] = []
        for seconds in [0, 7 * Self.day - 1, 1] {
            quick.domain.clock.advance(by: seconds)
            lists.append(try await NamedStatus(try await quick.login().idToken, quick.services).list)
        }
        #expect(lists[0] == lists[1] && lists[1] != lists[2])
        for list in lists { #expect(try await quick.services.statusLists.document(of: list) != nil) }
    }

    /// A session of the seventh day lives for 30 days, its last id_token for two hours more, and a verifier's clock may be a minute slow.
    @Test(arguments: [(-1, true), (0, false)])
    func aListIsDeletedWhenItsLastIdTokenHasExpired(_ seconds: Int, _ isThere: Bool) async throws {
        let domain = try await Domain()
        let named = try await NamedStatus(try await domain.login().idToken, domain.services)
        domain.clock.advance(by: 37 * Self.day + 7_200 + 60 + seconds)
        try await domain.services.maintain()
        #expect(try await named.published(by: domain.services) != nil || !isThere)
        #expect(try await domain.services.statusLists.document(of: named.list) == nil || isThere)
        let (list, bits) = try await domain.store.read { store in
            let list = try store.statusList(named.list)
            let known = StoredStatusList(
                id: named.list, size: 4_096, opened: domain.clock.now, openUntil: domain.clock.now, expires: domain.clock.now)
            return (list, try store.statuses(of: known, at: domain.clock.now))
        }
        #expect((list != nil) == isThere && bits.bytes.contains { $0 != 0 } == isThere)
    }

    @Test
    func longerLifetimesKeepTheListsThatAreThere() async throws {
        let domain = try await Domain()
        let list = try await NamedStatus(try await domain.login().idToken, domain.services).list
        let expiry = { try await domain.store.read { try $0.statusList(list)?.expires } }
        let before = try #require(try await expiry())
        for (days, kept) in [(20, 30), (60, 60), (10, 60)] {
            var lifetimes = Lifetimes()
            lifetimes.sessionAbsolute = .seconds(days * Self.day)
            _ = try await Domain(lifetimes: lifetimes, in: domain.folder, clock: domain.clock)
            #expect(try await expiry() == before + .seconds((kept - 30) * Self.day))
        }
    }
}
