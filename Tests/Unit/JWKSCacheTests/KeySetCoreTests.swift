import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks
import Testing

/// Overlapping orders, held sets, lifetimes, clocks and stored sets: tests that need each order and its response separately.
struct KeySetCoreTests {
    // Order

    /// A core with two orders: the older one is given up, the newer one is in flight.
    private static func overlapping() throws -> (DrivenCore, older: FetchOrder, newer: FetchOrder) {
        let driven = DrivenCore()
        let older = try driven.order()
        driven.now += .seconds(20)
        driven.tick()
        let newer = try driven.order()
        #expect(older.sequence < newer.sequence)
        return (driven, older, newer)
    }

    @Test
    func anOlderAnswerNeverReplacesANewerOne() throws {
        let (driven, older, newer) = try Self.overlapping()
        #expect(driven.answer(newer, KeyPool.set(1)) == ["installed"])
        #expect(driven.answer(older, KeyPool.set(0)) == ["overtaken"])
        #expect(driven.names == ["key-1"])
        #expect(driven.core.state.generation == 1)
        #expect(driven.core.state.freshness?.confirmedAt == .seconds(20))
    }

    @Test
    func anAnswerThatIsLateCountsUntilANewerOneCame() throws {
        let (driven, older, newer) = try Self.overlapping()
        #expect(driven.answer(older, KeyPool.set(0)) == ["installed"])
        #expect(driven.core.state.freshness?.confirmedAt == .zero)
        #expect(driven.core.state.flight == newer)
        #expect(driven.answer(newer, KeyPool.set(1)) == ["installed"])
        #expect(driven.names == ["key-1"])
    }

    @Test
    func aLateFailureIsNobodysFailure() throws {
        let (driven, older, newer) = try Self.overlapping()
        #expect(driven.fail(older) == ["overtaken"])
        #expect(driven.core.state.flight == newer)
        #expect(driven.core.state.failures == 1)
        #expect(driven.core.lastFailure == .attemptTimedOut)
    }

    // Churn

    @Test(
        arguments: [
            ([0, 1], [0, 1], 0), ([0, 1], [1, 2], 0.5), ([0, 1], [0, 1, 2], 0), ([0, 1, 2, 3], [3], 0.75), ([0], [1], 1),
        ] as [([Int], [Int], Double)])
    func churnIsTheShareOfKeysThatDisappeared(before: [Int], after: [Int], churn: Double) throws {
        let held = DrivenCore.limited(to: churn - 0.01), taken = DrivenCore.limited(to: churn)
        try held.fetch(KeyPool.set(before))
        try taken.fetch(KeyPool.set(before))
        #expect(try taken.fetch(KeyPool.set(after)).last == (before == after ? "confirmed" : "installed"))
        if churn > 0 {
            #expect(try held.fetch(KeyPool.set(after)) == ["failed: held"])
            #expect(held.core.lastFailure == .held(churn: churn))
        }
    }

    @Test
    func aSetThatIsHeldIsInstalledWhenItIsSeenAgain() throws {
        let driven = DrivenCore.limited(to: 0.5)
        try driven.fetch(KeyPool.set(0, 1))
        for _ in 0..<10 { try driven.fail(driven.order()) }
        let freshness = driven.core.state.freshness
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["failed: held"])
        #expect(driven.names == ["key-0", "key-1"])
        #expect(driven.core.state.freshness == freshness)
        // Whatever the current backoff.
        #expect(driven.core.state.nextDue - driven.now <= .seconds(60))
        driven.now = driven.core.state.nextDue
        #expect(try driven.fetch(KeyPool.set(3, 2)) == ["installed"])
        #expect(driven.names == ["key-3", "key-2"])
    }

    @Test
    func anotherSetTakesThePlaceOfTheOneThatIsHeld() throws {
        let driven = DrivenCore.limited(to: 0.5)
        try driven.fetch(KeyPool.set(0, 1))
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["failed: held"])
        #expect(try driven.fetch(KeyPool.set(4, 5)) == ["failed: held"])
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["failed: held"])
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["installed"])
    }

    @Test
    func theOldSetSeenAgainEndsTheHold() throws {
        let driven = DrivenCore.limited(to: 0.5)
        try driven.fetch(KeyPool.set(0, 1))
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["failed: held"])
        #expect(try driven.fetch(KeyPool.set(0, 1)) == ["confirmed"])
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["failed: held"])
        #expect(try driven.notModified() == ["confirmed"])
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["failed: held"])
        #expect(try driven.fail(driven.order()) == ["failed: status"])
        #expect(try driven.fetch(KeyPool.set(2, 3)) == ["installed"])
    }

    // Lifetime

    @Test
    func aNotModifiedWithoutALifetimeHasTheOneBefore() throws {
        let driven = DrivenCore()
        #expect(try driven.fetch(KeyPool.set(0), lifetime: .seconds(700)) == ["installed"])
        #expect(driven.lifetime == .seconds(700))
        driven.now += .seconds(50)
        #expect(try driven.notModified() == ["confirmed"])
        #expect(driven.lifetime == .seconds(700))
        #expect(driven.core.state.freshness?.confirmedAt == .seconds(50))
        try driven.notModified(lifetime: .seconds(120))
        #expect(driven.lifetime == .seconds(120))
        try driven.notModified()
        #expect(driven.lifetime == .seconds(120))
        #expect(try driven.fetch(KeyPool.set(0)) == ["confirmed"])
        #expect(driven.lifetime == .seconds(300))
        try driven.notModified()
        #expect(driven.lifetime == .seconds(300))
    }

    // The source's clock

    @Test(arguments: [3_600, -3_600, 31])
    func aSourceWhoseClockIsOffIsToldOfOnce(offset: Int64) throws {
        let driven = DrivenCore()
        for _ in 0..<8 { try driven.fetch(KeyPool.set(0), date: driven.date + offset) }
        #expect(driven.words.count { $0 == "alarm: clock_skew" } == 1)
        #expect(driven.core.skew.estimate == .seconds(offset))
        // Freshness uses this machine's clock.
        #expect(driven.lifetime == .seconds(300))
    }

    @Test
    func whatCachesAddedIsNoSkew() throws {
        let driven = DrivenCore()
        try driven.fetch(KeyPool.set(0), date: driven.date - 3_000, age: .seconds(3_000))
        #expect(driven.core.skew.estimate == .zero)
        #expect(!driven.words.contains("alarm: clock_skew"))
    }

    @Test
    func oneOddDateIsNoSkew() throws {
        let driven = DrivenCore()
        for offset: Int64 in [0, 1, 0, 86_400, 2, -86_400, 1] { try driven.fetch(KeyPool.set(0), date: driven.date + offset) }
        #expect(driven.core.skew.estimate == .seconds(1))
        #expect(!driven.words.contains("alarm: clock_skew"))
    }

    // Stored sets

    @Test
    func aStoredLifetimeIsHeldToThePolicy() throws {
        for (stated, lifetime) in [(0, 60), (-1, 60), (100_000, 3_600), (700, 700)] {
            let driven = DrivenCore()
            #expect(try driven.restore(KeyPool.set(0), age: .zero, lifetime: .seconds(stated)) == ["restored"])
            #expect(driven.lifetime == .seconds(lifetime))
        }
    }

    @Test
    func aStoredSetNeverReplacesOneThatIsThere() throws {
        let driven = DrivenCore()
        try driven.fetch(KeyPool.set(1))
        #expect(try driven.restore(KeyPool.set(0), age: .zero, lifetime: .seconds(300)).isEmpty)
        #expect(driven.names == ["key-1"])
    }
}
