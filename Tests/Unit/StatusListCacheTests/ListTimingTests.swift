import JWKSCache
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing
import TokenStatus

/// When a list is fetched again, and until when it is accepted.
struct ListTimingTests {
    /// What states the lifetime of a list, and the lifetime.
    struct Lifetime: Sendable {
        var timeToLive: Int?
        var maxAge: Int?
        var age = 0
        var expiresIn: Int64?
        let lifetime: Int
    }

    static let lifetimes = [
        Lifetime(lifetime: 300),
        Lifetime(timeToLive: 600, lifetime: 600),
        Lifetime(maxAge: 900, lifetime: 900),
        // The issuer's word counts before that of a server in between.
        Lifetime(timeToLive: 600, maxAge: 60, lifetime: 600),
        Lifetime(timeToLive: 600, maxAge: 60, age: 200, lifetime: 400),
        // Bounds of the policy.
        Lifetime(timeToLive: 43_200, lifetime: 3_600),
        Lifetime(timeToLive: 1, lifetime: 15),
        // No bound makes an expired list valid. The leeway is 60 seconds.
        Lifetime(timeToLive: 600, expiresIn: 100, lifetime: 160),
        Lifetime(expiresIn: -50, lifetime: 10),
    ]

    @Test(arguments: lifetimes)
    func aListIsFetchedAgainAheadOfItsEnd(_ given: Lifetime) throws {
        for seed in 0..<50 {
            let driven = try DrivenLists(seed: UInt64(seed))
            let expiration = given.expiresIn.map { 1_700_000_100 + $0 }
            try driven.load(
                TestList(timeToLive: given.timeToLive, expiration: expiration), maxAge: given.maxAge, age: given.age)
            let due = try driven.status().nextFetchIn
            #expect(due >= .seconds(given.lifetime) * 0.7 && due <= .seconds(given.lifetime) * 0.9, "seed \(seed): \(due)")
            driven.now += due - .milliseconds(1)
            #expect(driven.tick().isEmpty)
            driven.now += .milliseconds(1)
            #expect(driven.tick().count == 1)
        }
    }

    @Test func aFleetDoesNotFetchAtTheSameMoment() throws {
        let moments = try (0..<100).map { seed in
            let driven = try DrivenLists(seed: UInt64(seed))
            try driven.load()
            return try driven.status().nextFetchIn
        }
        #expect(Set(moments).count == 100)
        #expect(try #require(moments.max()) - (try #require(moments.min())) > .seconds(30))
    }

    @Test func listsOfOneCacheAreNotFetchedAtTheSameMoment() throws {
        let driven = try DrivenLists()
        let lists = (0..<4).map { TestList(uri: "https://status.example/\($0)") }
        for list in lists { try driven.load(list) }
        #expect(Set(driven.statuses.map(\.nextFetchIn)).count == 4)
    }

    @Test func a304KeepsTheListForAnotherLifetime() throws {
        let driven = try DrivenLists()
        try driven.load(TestList(timeToLive: 100))
        for _ in 0..<20 {
            let order = try driven.nextOrder()
            #expect(order.request.entityTag == "\"1\"")
            driven.notModified(order)
            #expect(try driven.status().acceptedFor == .seconds(3_700))
            #expect(driven.finding(index: 1) == .invalid)
        }
        #expect(try driven.status().failures == 0)
    }

    /// A server that confirms its list for ever does not prolong it.
    @Test func a304DoesNotProlongAnExpiredList() throws {
        let driven = try DrivenLists()
        try driven.load(TestList(timeToLive: 3_600, expiration: 1_700_000_200))
        driven.now = .seconds(100)
        for order in driven.tick() { driven.fail(order) }
        driven.now = .seconds(159)
        #expect(driven.finding() == .valid)
        driven.now = .seconds(160)
        #expect(driven.finding() == .staleList)
        driven.now = .seconds(220)
        let order = try #require(driven.tick().first)
        driven.notModified(order)
        #expect(try driven.status().lastFailure == "expired")
        #expect(driven.finding() == .refusedList)
        // The next request asks for the whole list.
        #expect(try driven.nextOrder().request.isConditional == false)
    }

    @Test(arguments: [(StatusListPolicy.closedFirst, 3_900), (.revocationFirst, 300)])
    func anOutageHasABoundedEnd(policy: StatusListPolicy, seconds: Int) throws {
        let driven = try DrivenLists(policy)
        try driven.load()
        driven.outage(.seconds(seconds) - .milliseconds(1))
        #expect(driven.finding() == .valid)
        #expect(driven.finding(index: 1) == .invalid)
        driven.now += .milliseconds(1)
        #expect(driven.ask().verdict.finding == .staleList)
        #expect(driven.ask().verdict.isAdmitted == false)
        // It is dropped, and fetched further on.
        for order in driven.tick() { driven.fail(order) }
        #expect(driven.core.bytes == 0)
        let order = try driven.nextOrder()
        #expect(order.request.isConditional == false)
        try driven.answer(order, TestList())
        #expect(driven.finding() == .valid)
    }

    /// What came before the outage still bounds what comes after it.
    @Test func anOutageDoesNotLetAnOlderListIn() throws {
        let driven = try DrivenLists()
        try driven.load()
        driven.outage(.seconds(4_000))
        try driven.answer(try driven.nextOrder(), TestList(issuedAt: 1_699_999_999))
        #expect(try driven.status().lastFailure == "older_list")
        #expect(driven.finding() == .refusedList)
    }

    @Test func failuresAreSpacedMoreAndMore() throws {
        let driven = try DrivenLists()
        try driven.load()
        for limit in [1, 2, 4, 8, 16, 32, 60, 60] {
            driven.fail(try driven.nextOrder())
            let pause = try driven.status().nextFetchIn
            #expect(pause >= .seconds(1) && pause <= .seconds(limit), "\(pause)")
        }
    }

    @Test func aSourceThatAsksForAPauseGetsIt() throws {
        let driven = try DrivenLists()
        try driven.load()
        driven.fail(try driven.nextOrder(), .status(429), retryAfter: .seconds(120))
        #expect(try driven.status().nextFetchIn == .seconds(120))
    }

    @Test func aFetchThatTakesTooLongIsGivenUp() throws {
        let driven = try DrivenLists()
        try driven.load()
        let order = try driven.nextOrder()
        driven.now += .seconds(10)
        #expect(driven.tick().isEmpty)
        #expect(try driven.status().lastFailure == "attempt_timed_out")
        #expect(try driven.status().failures == 1)
        // Its answer is late, but good.
        try driven.answer(order, TestList(bytes: [1, 1, 1, 1, 1]))
        #expect(driven.finding() == .invalid)
    }

    @Test func aListThatNobodyUsesIsDropped() throws {
        let driven = try DrivenLists()
        try driven.load()
        for _ in 0..<40 {
            driven.now += .seconds(100)
            for order in driven.tick() { driven.notModified(order) }
        }
        #expect(driven.statuses.isEmpty)
        #expect(driven.core.nextTick(now: driven.now) == nil)
    }
}
