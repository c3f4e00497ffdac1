import JWKSCache
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing
import TokenStatus

/// What tokens that name many lists may cost.
struct ListLimitTests {
    private static func uri(_ number: Int) -> String { "https://status.example/lists/\(number)" }

    @Test func aFloodOfUnknownAddressesCostsAFewFetchesAndLittleMemory() throws {
        var limits = StatusListLimits()
        limits.failedAddressesPerIssuer = 20
        let driven = try DrivenLists(limits: limits)
        try driven.load()
        var orders = 0
        for number in 0..<10_000 {
            let (verdict, order) = driven.ask("https://status.example/junk/\(number)")
            #expect(verdict == driven.core.verdictOfUnknown)
            if let order {
                orders += 1
                driven.fail(order, .status(404))
            }
            driven.now += .milliseconds(1)
        }
        // Four in each of ten seconds, with that of the first list.
        #expect(orders == 39)
        #expect(driven.statuses.count == 21)
        #expect(driven.finding(index: 1) == .invalid)
        // A list that exists follows within a second.
        driven.now += .seconds(1)
        try driven.load(TestList(uri: Self.uri(2)))
        #expect(driven.finding(Self.uri(2)) == .valid)
    }

    /// Sources that never answer: the attempts end, and their addresses are forgotten as well.
    @Test func aFloodOfAddressesThatHangCostsLittleMemory() throws {
        var limits = StatusListLimits()
        limits.failedAddressesPerIssuer = 20
        let driven = try DrivenLists(limits: limits)
        for number in 0..<2_000 {
            _ = driven.ask(Self.uri(number))
            _ = driven.tick()
            driven.now += .milliseconds(50)
            #expect(driven.statuses.count(where: \.isFetching) <= 44)
            #expect(driven.statuses.count <= 65)
        }
    }

    @Test func aFloodDoesNotKeepListsFromBeingRefreshed() throws {
        let driven = try DrivenLists()
        try driven.load()
        var refreshed = 0
        for number in 0..<10_000 {
            if let order = driven.ask("https://status.example/junk/\(number)").order { driven.fail(order, .status(404)) }
            for order in driven.tick() {
                refreshed += 1
                driven.notModified(order)
            }
            _ = driven.ask()
            driven.now += .milliseconds(100)
        }
        #expect((3...7).contains(refreshed), "\(refreshed)")
        #expect(driven.finding() == .valid)
    }

    @Test func anAddressThatFailedIsNotRequestedAgainBeforeItsPauseEnds() throws {
        let driven = try DrivenLists()
        driven.fail(try #require(driven.ask().order), .status(404))
        let pause = try driven.status().nextFetchIn
        #expect(pause >= .seconds(1))
        driven.now += pause - .milliseconds(1)
        #expect(driven.ask().order == nil)
        driven.now += .milliseconds(1)
        // Only a token causes the next fetch.
        #expect(driven.tick().isEmpty)
        driven.fail(try #require(driven.ask().order), .status(404))
        #expect(try driven.status().failures == 2)
    }

    @Test func aListIsFetchedOnceHoweverManyAsk() throws {
        let driven = try DrivenLists()
        let orders = (0..<1_000).compactMap { driven.ask(index: $0).order }
        #expect(orders.count == 1)
        #expect(driven.statuses.count == 1)
    }

    @Test func aListInUseDoesNotGiveWayToAnother() throws {
        var limits = StatusListLimits()
        limits.listsPerIssuer = 3
        let driven = try DrivenLists(limits: limits)
        for number in 0..<3 {
            try driven.load(TestList(uri: Self.uri(number)))
            driven.now += .seconds(2)
        }
        #expect(driven.ask(Self.uri(3)).order == nil)
        #expect(driven.statuses.count == 3)
        // The first is used, the second is the least recently used one that is idle.
        driven.now += .seconds(70)
        #expect(driven.finding(Self.uri(0)) == .valid)
        try driven.load(TestList(uri: Self.uri(3)))
        #expect(driven.statuses.map(\.uri).sorted() == [Self.uri(0), Self.uri(2), Self.uri(3)])
    }

    @Test func theMemoryOfAllListsIsBounded() throws {
        var limits = StatusListLimits()
        limits.totalBytes = 1_000
        let driven = try DrivenLists(limits: limits, issuers: 2)
        let large = { TestList(uri: Self.uri($0), bytes: Array(repeating: 0, count: 400)) }
        try driven.load(large(0))
        driven.now += .seconds(2)
        try driven.load(large(1), issuer: 1)
        driven.now += .seconds(2)
        // Both are in use.
        try driven.load(large(2))
        #expect(driven.core.bytes == 800)
        #expect(try driven.status(Self.uri(2)).lastFailure == "over_budget")
        #expect(driven.ask(Self.uri(2)).verdict.finding == .unknownList)
        #expect(driven.ask(Self.uri(2)).verdict.isAdmitted == false)
        // The least recently used one gives way, whosesoever it is.
        driven.now += .seconds(70)
        _ = driven.ask(Self.uri(0))
        driven.now += .seconds(2)
        try driven.load(large(2))
        #expect(driven.core.bytes == 800)
        #expect(driven.finding(Self.uri(0)) == .valid)
        #expect(driven.finding(Self.uri(2)) == .valid)
        #expect(driven.statuses.contains { $0.uri == Self.uri(1) } == false)
    }

    @Test func aListThatIsRefusedPushesNoneOut() throws {
        var limits = StatusListLimits()
        limits.totalBytes = 1_000
        let driven = try DrivenLists(limits: limits)
        try driven.load(TestList(uri: Self.uri(0), bytes: Array(repeating: 0, count: 500)))
        try driven.load(TestList(bytes: Array(repeating: 0, count: 500)))
        driven.now += .seconds(70)
        let order = try driven.nextOrder(TestList.uri)
        let larger = TestList(bytes: Array(repeating: 0, count: 1_000), issuedAt: 1_699_999_999)
        try driven.answer(order, larger)
        #expect(driven.core.bytes == 1_000)
        #expect(try driven.status().lastFailure == "older_list")
        #expect(driven.finding(Self.uri(0)) == .valid)
    }

    @Test func aListThatGrowsBeyondTheMemoryIsRefusedAndTheOldOneStays() throws {
        var limits = StatusListLimits()
        limits.totalBytes = 1_000
        let driven = try DrivenLists(limits: limits)
        try driven.load(TestList(bytes: Array(repeating: 0, count: 900)))
        try driven.answer(try driven.nextOrder(), TestList(bytes: Array(repeating: 1, count: 1_000)))
        #expect(driven.finding() == .invalid)
        try driven.answer(try driven.nextOrder(), TestList(bytes: Array(repeating: 0, count: 1_001)))
        #expect(driven.finding() == .invalid)
        #expect(try driven.status().lastFailure == "over_budget")
        #expect(driven.core.bytes == 1_000)
    }

    /// A hundred lists with the shortest lifetime, and four fetches in a second.
    @Test func whereFetchesAreTooFewEachListGetsItsTurn() throws {
        let driven = try DrivenLists()
        for number in 0..<100 {
            driven.now += .seconds(1)
            try driven.load(TestList(uri: Self.uri(number), timeToLive: 1))
        }
        for _ in 0..<200 {
            driven.now += .seconds(1)
            for order in driven.tick() { driven.notModified(order) }
        }
        let ages = driven.statuses.map(\.sinceSuccess)
        #expect(ages.count == 100)
        #expect(ages.allSatisfy { $0.map { $0 <= .seconds(26) } ?? false })
    }

    @Test func anAddressWithoutAListIsForgotten() throws {
        let driven = try DrivenLists()
        driven.fail(try #require(driven.ask().order), .status(404))
        driven.now = .seconds(3_600) - .milliseconds(1)
        _ = driven.tick()
        #expect(driven.statuses.count == 1)
        driven.now = .seconds(3_600)
        _ = driven.tick()
        #expect(driven.statuses.isEmpty)
    }

    @Test func schedulesOfManyListsAreSpaced() throws {
        let driven = try DrivenLists()
        for number in 0..<20 {
            driven.now += .seconds(1)
            try driven.load(TestList(uri: Self.uri(number)))
        }
        // The machine slept: everything is due.
        driven.now += .seconds(600)
        for _ in 0..<5 {
            let orders = driven.tick()
            #expect(orders.count == 4)
            for order in orders { driven.notModified(order) }
            #expect(driven.tick().isEmpty)
            driven.now = try #require(driven.core.nextTick(now: driven.now))
        }
    }
}

extension ListsCore {
    /// The verdict for a list that is not known.
    var verdictOfUnknown: StatusVerdict {
        var copy = self
        return copy.ask(0, Array("https://status.example/unknown".utf8), index: 0, now: .zero).verdict
    }
}
