import JWKSCache
import JWTCore
import Testing

/// The state machine in a box, so that expectations can drive it.
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
    func restored(age: Duration, lifetime: Duration, now: Duration) { state.restored(age: age, lifetime: lifetime, now: now) }
    func unload() { state.unload() }

    @discardableResult
    func confirmed(_ order: FetchOrder, lifetime: Duration, isNew: Bool, now: Duration) -> Bool {
        state.confirmed(order, lifetime: lifetime, isNew: isNew, now: now)
    }
}

/// The state machine as scripts: a moment, what happens, what is ordered.
struct RefreshStateTests {
    /// A machine that has a set of 300 s, confirmed by a fetch at 0 s.
    fileprivate static func fresh(_ policy: RefreshPolicy = .availabilityFirst, seed: UInt64 = 1, lifetime: Int64 = 300) throws -> Machine {
        let state = Machine(policy, seed)
        let order = try #require(state.tick(now: .zero))
        #expect(order.cause == .start)
        #expect(state.confirmed(order, lifetime: .seconds(lifetime), isNew: true, now: .zero))
        return state
    }

    private static let kid = KeyIDHash("K2")

    // When

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

    @Test func revocationFirstBelievesNothingBeyondItsLifetime() throws {
        let state = try Self.fresh(.revocationFirst)
        #expect(state.hasKeys(.seconds(299)))
        #expect(!state.hasKeys(.seconds(300)))
    }

    @Test func aSetIsAsOldAsTheRequestForIt() throws {
        let state = Machine(.revocationFirst, 1)
        let order = try #require(state.tick(now: .zero))
        state.confirmed(order, lifetime: .seconds(300), isNew: true, now: .seconds(8))
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

    @Test func anOlderAnswerNeverOverwritesANewerOne() throws {
        let state = try Self.fresh()
        let now = state.nextDue
        let hung = try #require(state.tick(now: now))
        _ = state.tick(now: now + .seconds(10))
        let second = try #require(state.flight ?? state.tick(now: state.nextDue))
        #expect(state.confirmed(second, lifetime: .seconds(300), isNew: true, now: now + .seconds(12)))
        let freshness = state.freshness
        #expect(!state.confirmed(hung, lifetime: .seconds(300), isNew: true, now: now + .seconds(13)))
        #expect(state.freshness == freshness)
    }

    @Test func aLateAnswerIsTakenWhereNothingNewerCame() throws {
        let state = try Self.fresh()
        let now = state.nextDue
        let hung = try #require(state.tick(now: now))
        state.failed(hung, now: now + .seconds(10))
        #expect(state.confirmed(hung, lifetime: .seconds(300), isNew: false, now: now + .seconds(10)))
    }

    // Unknown key ids: the table of the documentation, a row each

    @Test func aPermittedProbeMeansTryAgain() throws {
        let state = try Self.fresh()
        let (answer, order) = state.keyMissing(Self.kid, now: .seconds(100))
        #expect(answer == .keysUnavailable)
        #expect(order?.isForced == true)
    }

    @Test func aFetchUnderWayMeansTryAgain() throws {
        let state = try Self.fresh()
        _ = state.keyMissing(Self.kid, now: .seconds(100))
        let (answer, order) = state.keyMissing(Self.kid, now: .seconds(100))
        #expect(answer == .keysUnavailable)
        #expect(order == nil)
    }

    @Test func aKeyThatTheLastProbeDidNotFindIsUnknown() throws {
        let state = try Self.fresh()
        let order = try #require(state.keyMissing(Self.kid, now: .seconds(100)).order)
        state.confirmed(order, lifetime: .seconds(300), isNew: false, now: .seconds(101))
        let (answer, second) = state.keyMissing(Self.kid, now: .seconds(102))
        #expect(answer == .unknownKey)
        #expect(second == nil)
    }

    @Test func aMissingKeyIsAskedForAgainAfterTenSeconds() throws {
        let state = try Self.fresh()
        let order = try #require(state.keyMissing(Self.kid, now: .seconds(100)).order)
        state.confirmed(order, lifetime: .seconds(300), isNew: false, now: .seconds(101))
        #expect(state.keyMissing(Self.kid, now: .seconds(110.9)).answer == .unknownKey)
        #expect(state.keyMissing(Self.kid, now: .seconds(111)).order != nil)
    }

    @Test func aMissingKeyIsAskedForAgainOnceTheSetHasChanged() throws {
        let state = try Self.fresh()
        let order = try #require(state.keyMissing(Self.kid, now: .seconds(100)).order)
        state.confirmed(order, lifetime: .seconds(300), isNew: true, now: .seconds(101))
        #expect(state.keyMissing(Self.kid, now: .seconds(102)).order != nil)
    }

    @Test func withoutAPermittedProbeAYoungSetMeansUnknown() throws {
        let state = try Self.fresh()
        for second in [100, 102] as [Int64] {
            let order = try #require(state.keyMissing(KeyIDHash("junk \(second)"), now: .seconds(second)).order)
            state.confirmed(order, lifetime: .seconds(300), isNew: false, now: .seconds(second))
        }
        let (answer, order) = state.keyMissing(Self.kid, now: .seconds(103))
        #expect(answer == .unknownKey)
        #expect(order == nil)
    }

    @Test func withoutAPermittedProbeAnOldSetMeansTryAgain() throws {
        let state = try Self.fresh()
        for second in [100, 102] as [Int64] {
            let order = try #require(state.keyMissing(KeyIDHash("junk \(second)"), now: .seconds(second)).order)
            state.failed(order, now: .seconds(second))
        }
        #expect(state.keyMissing(Self.kid, now: .seconds(103)).answer == .keysUnavailable)
    }

    @Test func aScheduledFetchProvesNothingAboutAKeyThatWasAskedForDuringIt() throws {
        let state = try Self.fresh()
        let now = state.nextDue
        let order = try #require(state.tick(now: now))
        #expect(state.keyMissing(Self.kid, now: now).answer == .keysUnavailable)
        state.confirmed(order, lifetime: .seconds(300), isNew: false, now: now)
        #expect(state.keyMissing(Self.kid, now: now + .seconds(1)).order?.cause == .probe)
    }

    // The budget

    @Test func aThousandJunkKeysInASecondCostTwoFetchesAndARotationIsSeenWithinTenSeconds() throws {
        let state = try Self.fresh()
        var fetches: [Duration] = []
        for junk in 0..<1_000 {
            let now: Duration = .seconds(100) + .milliseconds(junk)
            if let order = state.keyMissing(KeyIDHash("junk \(junk)"), now: now).order {
                fetches.append(now)
                state.confirmed(order, lifetime: .seconds(300), isNew: false, now: now)
            }
        }
        #expect(fetches.count == 2)
        let (_, order) = state.keyMissing(Self.kid, now: .seconds(110))
        #expect(order != nil)
    }

    @Test(arguments: [Duration.zero, .seconds(3), .seconds(86_400)]) func nothingPostponesTheNextProbeByMoreThanTenSeconds(
        _ retryAfter: Duration
    ) throws {
        let state = try Self.fresh()
        // Failures, backoff and what the source asks for, all at once.
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
        state.confirmed(order, lifetime: .seconds(300), isNew: false, now: now)
        for probe in 0..<2 {
            let order = try #require(state.keyMissing(KeyIDHash("\(probe)"), now: now).order)
            state.confirmed(order, lifetime: .seconds(300), isNew: false, now: now)
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

    @Test func missingKeysAreRememberedUpToALimit() throws {
        let state = try Self.fresh()
        _ = state.keyMissing(Self.kid, now: .seconds(100))
        for junk in 0..<10_000 { _ = state.keyMissing(KeyIDHash("junk \(junk)"), now: .seconds(100)) }
        #expect(state.probes.remembered == 4_096)
    }

    // Stored sets, and sets nobody uses

    @Test func aStoredSetIsBelievedFromItsFetchAndRenewedAtOnce() throws {
        let state = Machine(.availabilityFirst, 1, now: .seconds(1_000))
        state.restored(age: .seconds(600), lifetime: .seconds(300), now: .seconds(1_000))
        #expect(state.freshness?.endsAt == .seconds(1_000 - 600 + 300 + 3_600))
        #expect(state.tick(now: .seconds(1_000)) != nil)
    }

    @Test func unloadingGivesNobodyANewBudget() throws {
        let state = try Self.fresh()
        for junk in 0..<2 {
            let order = try #require(state.keyMissing(KeyIDHash("\(junk)"), now: .seconds(100)).order)
            state.confirmed(order, lifetime: .seconds(300), isNew: false, now: .seconds(100))
        }
        state.unload()
        #expect(!state.hasKeys(.seconds(101)))
        #expect(state.keysWanted(now: .seconds(101)) == nil)
        #expect(state.keysWanted(now: .seconds(110)) != nil)
    }

    // A fleet

    @Test func aThousandInstancesStartedTogetherSpreadTheirRefreshes() throws {
        var bins: [Int64: Int] = [:]
        for seed in 0..<1_000 as Range<UInt64> {
            let state = try Self.fresh(seed: seed)
            // The first wave of refreshes, and the second.
            for _ in 0..<2 {
                let due = state.nextDue
                bins[due.components.seconds, default: 0] += 1
                let order = try #require(state.tick(now: due))
                state.confirmed(order, lifetime: .seconds(300), isNew: false, now: due)
            }
        }
        let wave = bins.filter { $0.key < 300 }
        let mean = Double(wave.values.reduce(0, +)) / 60
        #expect(wave.values.reduce(0, +) == 1_000)
        #expect(Double(wave.values.max() ?? 0) <= 3 * mean)
    }
}
