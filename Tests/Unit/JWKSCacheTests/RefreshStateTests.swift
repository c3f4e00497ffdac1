import JWKSCache
import JWTCore
import Testing

/// The state machine in a box, so that expectations can change it.
@dynamicMemberLookup
private final class Machine {
    private var state: RefreshState

    init(_ policy: RefreshPolicy, _ seed: UInt64, now: Duration = .zero) { state = RefreshState(policy: policy, seed: seed, now: now) }

    subscript<Value>(dynamicMember path: KeyPath<RefreshState, Value>) -> Value { state[keyPath: path] }

    func hasKeys(_ now: Duration) -> Bool { state.hasKeys(now) }
    func tick(now: Duration) -> FetchOrder? { state.tick(now: now) }
    func requested(now: Duration) -> FetchOrder? { state.requested(now: now) }
    func keysWanted(now: Duration) -> FetchOrder? { state.keysWanted(now: now) }
    func keyMissing(_ keyID: KeyIDHash, now: Duration) -> (answer: UnknownKeyAnswer, order: FetchOrder?) {
        state.keyMissing(keyID, now: now)
    }
    func failed(_ order: FetchOrder, retryAfter: Duration? = nil, now: Duration) { state.failed(order, retryAfter: retryAfter, now: now) }
    func unload() { state.unload() }
    func confirmed(_ order: FetchOrder, lifetime: Duration = .seconds(300), isNew: Bool = false, found: Bool = false, now: Duration) {
        state.confirmed(order, lifetime: lifetime, isNew: isNew, found: found, now: now)
    }
}

/// The state machine as scripts: a time, an event, the resulting order.
struct RefreshStateTests {
    /// A state machine with a set of 300 s, confirmed by a fetch at 0 s.
    fileprivate static func fresh(_ policy: RefreshPolicy = .availabilityFirst, seed: UInt64 = 1, lifetime: Int64 = 300) throws -> Machine {
        let state = Machine(policy, seed)
        let order = try #require(state.tick(now: .zero))
        #expect(order.cause == .start)
        state.confirmed(order, lifetime: .seconds(lifetime), isNew: true, now: .zero)
        return state
    }

    private static let kid = KeyIDHash("K2")

    // Schedule

    @Test func theFirstFetchIsAtOnceAndTheOnlyOne() throws {
        let state = Machine(.availabilityFirst, 1, now: .seconds(5))
        #expect(state.tick(now: .seconds(5)) != nil)
        #expect(state.tick(now: .seconds(6)) == nil)
        #expect(state.keysWanted(now: .seconds(6)) == nil)
        #expect(state.requested(now: .seconds(6)) == nil)
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func refreshComesBetweenSevenAndNineTenthsOfTheLifetime(_ seed: UInt64) throws {
        let state = try Self.fresh(seed: seed)
        #expect(state.nextDue >= .seconds(210) && state.nextDue <= .seconds(270))
    }

    @Test func aSetIsBelievedForItsLifetimeAndAnHourAndNoLonger() throws {
        let state = try Self.fresh()
        #expect(state.hasKeys(.seconds(3_899)))
        #expect(!state.hasKeys(.seconds(3_900)))
        let generation = state.generation
        _ = state.tick(now: .seconds(3_900))
        #expect(state.freshness == nil)
        #expect(state.generation == generation + 1, "what is no longer believed ends its generation")
    }

    @Test func aSetIsAsOldAsTheRequestForIt() throws {
        let state = Machine(.revocationFirst, 1)
        let order = try #require(state.tick(now: .zero))
        state.confirmed(order, isNew: true, now: .seconds(8))
        #expect(!state.hasKeys(.seconds(300)))
    }

    // Failures

    @Test(arguments: 0..<40 as Range<UInt64>) func backoffGrowsFromASecondToFiveMinutesWithFullJitter(_ seed: UInt64) throws {
        let state = try Self.fresh(seed: seed)
        var now = state.nextDue
        for failure in 1...14 {
            let order = try #require(state.tick(now: now))
            state.failed(order, now: now)
            let pause = state.nextDue - now
            #expect(pause >= .seconds(1) && pause <= .seconds(min(300, 1 << (failure - 1))))
            now = state.nextDue
        }
    }

    @Test(arguments: [(30, 30), (300, 300), (86_400, 300)]) func retryAfterIsAFloorOfFiveMinutesAtMost(_ asked: Int64, _ floor: Int64)
        throws
    {
        let state = try Self.fresh()
        let now = state.nextDue
        let order = try #require(state.tick(now: now))
        state.failed(order, retryAfter: .seconds(asked), now: now)
        #expect(state.nextDue == now + .seconds(floor))
    }

    @Test func anAttemptThatHangsIsGivenUp() throws {
        let state = try Self.fresh()
        let now = state.nextDue
        let order = try #require(state.tick(now: now))
        #expect(state.nextTick == now + .seconds(10))
        _ = state.tick(now: now + .seconds(9))
        #expect(state.flight == order)
        _ = state.tick(now: now + .seconds(10))
        #expect(state.flight != order)
        #expect(state.failures == 1)
    }

    // Unknown key ids: the table of the documentation

    /// What tokens asked for before, from a fresh set on, and the answer to a token under `K2`.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let before: [(second: Int64, keyID: String, outcome: Outcome)]
        let second: Double
        let answer: UnknownKeyAnswer
        let causesFetch: Bool

        /// What became of a fetch, a second later.
        enum Outcome { case pending, unchanged, changed, failed }

        init(
            _ name: String, _ before: [(second: Int64, keyID: String, outcome: Outcome)], at second: Double, _ answer: UnknownKeyAnswer,
            causesFetch: Bool = false
        ) {
            (testDescription, self.before, self.second, self.answer, self.causesFetch) = (name, before, second, answer, causesFetch)
        }
    }

    private static let rows = [
        Row("a probe is permitted", [], at: 100, .keysUnavailable, causesFetch: true),
        Row("a probe is in flight", [(100, "K2", .pending)], at: 100, .keysUnavailable),
        Row("the last probe did not find it", [(100, "K2", .unchanged)], at: 102, .unknownKey),
        Row("that was less than ten seconds ago", [(100, "K2", .unchanged)], at: 110.9, .unknownKey),
        Row("that was ten seconds ago", [(100, "K2", .unchanged)], at: 111, .keysUnavailable, causesFetch: true),
        Row("the set has changed", [(100, "K2", .changed)], at: 102, .keysUnavailable, causesFetch: true),
        Row("the budget is spent, the set young", [(100, "a", .unchanged), (102, "b", .unchanged)], at: 103, .unknownKey),
        Row("the newest probe failed", [(93, "a", .unchanged), (95, "b", .unchanged), (103, "c", .failed)], at: 104.5, .keysUnavailable),
        Row(
            "the last probe did not find it, a newer one failed", [(100, "K2", .unchanged), (102, "a", .failed)], at: 104, .keysUnavailable),
        Row("a newer probe did not find it", [(95, "a", .failed), (100, "K2", .unchanged)], at: 102, .unknownKey),
        Row("the budget is spent, the set old", [(100, "a", .failed), (102, "b", .failed)], at: 103, .keysUnavailable),
    ]

    @Test(arguments: rows) func anUnknownKeyIsAnsweredByTheTable(row: Row) throws {
        let state = try Self.fresh()
        for (second, keyID, outcome) in row.before {
            let order = try #require(state.keyMissing(KeyIDHash(keyID), now: .seconds(second)).order)
            #expect(order.isForced)
            switch outcome {
            case .pending: break
            case .unchanged, .changed: state.confirmed(order, isNew: outcome == .changed, now: .seconds(second + 1))
            case .failed: state.failed(order, now: .seconds(second + 1))
            }
        }
        let (answer, order) = state.keyMissing(Self.kid, now: .seconds(row.second))
        #expect(answer == row.answer)
        #expect((order != nil) == row.causesFetch)
    }

    @Test func aScheduledFetchIsNoProofForAKeyAskedForDuringIt() throws {
        let state = try Self.fresh()
        let now = state.nextDue
        let order = try #require(state.tick(now: now))
        #expect(state.keyMissing(Self.kid, now: now).answer == .keysUnavailable)
        state.confirmed(order, now: now)
        #expect(state.keyMissing(Self.kid, now: now + .seconds(1)).order?.cause == .probe)
    }

    // The budget

    @Test(arguments: [Duration.zero, .seconds(3), .seconds(86_400)]) func nothingPostponesTheNextProbeByMoreThanTenSeconds(
        _ retryAfter: Duration
    ) throws {
        let state = try Self.fresh()
        // Failures, backoff and the source's pauses, all together.
        for _ in 0..<8 {
            let order = try #require(state.tick(now: state.nextDue))
            state.failed(order, retryAfter: retryAfter, now: state.nextDue)
        }
        let failedAt = state.nextDue
        let order = try #require(state.tick(now: failedAt))
        state.failed(order, retryAfter: retryAfter, now: failedAt)
        #expect((state.keyMissing(Self.kid, now: failedAt + .seconds(1)).order != nil) == (retryAfter == .zero))
        #expect(state.flight != nil || state.keyMissing(Self.kid, now: failedAt + .seconds(10)).order != nil)
    }

    @Test func aScheduledFetchSpendsNothingOfTheBudget() throws {
        let state = try Self.fresh()
        let now = state.nextDue
        let order = try #require(state.tick(now: now))
        state.confirmed(order, now: now)
        for probe in 0..<2 {
            let order = try #require(state.keyMissing(KeyIDHash("\(probe)"), now: now).order)
            state.confirmed(order, now: now)
        }
        #expect(state.keyMissing(KeyIDHash("2"), now: now).order == nil)
    }

    @Test func theWantOfKeysSpendsTheSameBudget() throws {
        let state = Machine(.availabilityFirst, 1)
        let first = try #require(state.tick(now: .zero))
        state.failed(first, now: .zero)
        for _ in 0..<2 {
            let order = try #require(state.keysWanted(now: .milliseconds(500)))
            state.failed(order, now: .milliseconds(500))
        }
        #expect(state.keysWanted(now: .milliseconds(500)) == nil)
        #expect(state.keysWanted(now: .milliseconds(10_500)) != nil)
        #expect(state.probes.shed == 1)
    }

    @Test func keysThatArrivedMeanwhileAreNotWantedAgain() throws {
        let state = try Self.fresh()
        #expect(state.keysWanted(now: .seconds(1)) == nil)
        for junk in 0..<2 {
            let order = try #require(state.keyMissing(KeyIDHash("\(junk)"), now: .seconds(1)).order, "the budget is whole")
            state.confirmed(order, now: .seconds(1))
        }
    }

    @Test func aSourceThatRotatesEveryTwoSecondsSpendsNothing() throws {
        let state = try Self.fresh()
        for second in stride(from: Int64(100), to: 160, by: 2) {
            let order = try #require(state.keyMissing(KeyIDHash("\(second)"), now: .seconds(second)).order)
            state.confirmed(order, isNew: true, found: true, now: .seconds(second))
        }
        // Junk still gets its two.
        for junk in 0..<2 {
            let order = try #require(state.keyMissing(KeyIDHash("junk \(junk)"), now: .seconds(159)).order)
            state.confirmed(order, now: .seconds(159))
        }
        #expect(state.keyMissing(KeyIDHash("junk"), now: .seconds(159)).order == nil)
    }

    /// Two servers that disagree: each probe finds its key, and hides another one. One in a second is given back.
    @Test(arguments: [(milliseconds: Int64(100), fetches: 3), (500, 4), (1_000, 10), (2_000, 5)])
    func aSourceThatChangesWithEveryFetchIsAskedOnceASecondAtMost(milliseconds: Int64, fetches: Int) throws {
        let state = try Self.fresh()
        var made = 0
        for step in 0..<(10_000 / milliseconds) {
            let now = Duration.seconds(100) + .milliseconds(step * milliseconds)
            guard let order = state.keyMissing(KeyIDHash("\(step)"), now: now).order else { continue }
            made += 1
            state.confirmed(order, isNew: true, found: true, now: now)
        }
        #expect(made == fetches)
    }

    @Test func missingKeysAreRememberedUpToALimit() throws {
        let state = try Self.fresh()
        _ = state.keyMissing(Self.kid, now: .seconds(100))
        for junk in 0..<10_000 { _ = state.keyMissing(KeyIDHash("junk \(junk)"), now: .seconds(100)) }
        #expect(state.probes.remembered == 4_096)
    }

    // Unused sets

    @Test func unloadingGivesNobodyANewBudget() throws {
        let state = try Self.fresh()
        for junk in 0..<2 {
            let order = try #require(state.keyMissing(KeyIDHash("\(junk)"), now: .seconds(100)).order)
            state.confirmed(order, now: .seconds(100))
        }
        state.unload()
        #expect(!state.hasKeys(.seconds(101)))
        #expect(state.keysWanted(now: .seconds(101)) == nil)
        #expect(state.keysWanted(now: .seconds(110)) != nil)
    }
}
