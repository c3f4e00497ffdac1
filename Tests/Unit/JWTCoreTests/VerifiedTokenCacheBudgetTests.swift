import JWTCore
import JWTTestSupport
import Testing

/// The cache's memory and its evictions.
struct VerifiedTokenCacheBudgetTests {
    private let forge = Forges.hs256

    private func token(_ name: String, padding: Int = 0) -> String {
        forge.token(#"{"sub":"\#(name)","x":"\#(String(repeating: "x", count: padding))"}"#)
    }

    @Test(arguments: CacheKind.all, [65_536, 1 << 20])
    func theBudgetIsNeverExceeded(kind: CacheKind, budget: Int) {
        let cache = kind.cache(budget: budget, shards: 4), verifier = forge.verifier().caching(in: cache)
        var generator = SeededGenerator(seed: UInt64(budget))
        var largest = 0
        for number in 0..<1_500 {
            verifier.settle(token("\(number)", padding: Int.random(in: 0..<6_000, using: &generator)))
            largest = max(largest, cache.statistics.bytes)
        }
        #expect(largest <= budget)
        #expect(cache.statistics.evictions > 0)
        let statistics = cache.statistics
        #expect(statistics.insertions == UInt64(statistics.entries) + statistics.evictions)
        // With one bucket for all, there is only room for its slots.
        #expect(kind.hashMask == 0 ? statistics.entries <= 8 : largest > budget / 2)
    }

    /// A cache that is full would otherwise search for a victim at every insertion, and a large token would not find enough room.
    @Test
    func anEvictionMakesRoomForSeveralTokens() {
        let cache = CacheKind.all[0].cache(budget: 262_144), verifier = forge.verifier().caching(in: cache)
        var most: UInt64 = 0
        for number in 0..<1_000 {
            let before = cache.statistics.evictions
            verifier.settle(token("\(number)"))
            most = max(most, cache.statistics.evictions - before)
        }
        #expect(most >= 8)
    }

    @Test(arguments: [Int.min, -1, 0, 1, 2_000, 4_096])
    func aBudgetForNothingKeepsNothing(budget: Int) {
        let cache = CacheKind.all[0].cache(budget: budget), verifier = forge.verifier().caching(in: cache)
        for _ in 0..<4 { #expect(verifier.verdict(token("a")) == "valid") }
        #expect(cache.statistics.entries == 0)
        #expect(cache.statistics.bytes <= max(budget, 2_300))
    }

    @Test(arguments: CacheKind.all)
    func aTokenTooLargeForTheBudgetIsVerifiedEveryTime(kind: CacheKind) {
        let cache = kind.cache(budget: 65_536), verifier = forge.verifier().caching(in: cache), large = token("a", padding: 7_000)
        for _ in 0..<4 { #expect(verifier.verdict(large) == "valid") }
        #expect(cache.statistics.entries == 0 && cache.statistics.evictions == 0)
    }

    @Test
    func tokensThatComeOncePutNobodyOut() {
        let cache = CacheKind.all[0].cache(budget: 262_144), verifier = forge.verifier().caching(in: cache)
        let regulars = (0..<40).map { token("regular-\($0)") }
        for regular in regulars { verifier.settle(regular) }
        let kept = cache.statistics.entries
        #expect(kept == regulars.count)
        for number in 0..<5_000 { _ = verifier.verdict(token("passing-\(number)")) }
        // Two tokens with the same trace in the doorkeeper count as one; this is very rare.
        #expect(cache.statistics.insertions <= UInt64(kept) + 2)
        #expect(cache.statistics.evictions == 0)
        #expect(cache.hits { for regular in regulars { _ = verifier.verdict(regular) } } == UInt64(kept))
    }

    @Test
    func tokensThatComeByTurnsKeepNoneOfThemOutForGood() {
        let cache = CacheKind.all[0].cache(budget: 1 << 20), verifier = forge.verifier().caching(in: cache)
        let tokens = (0..<500).map { token("turn-\($0)") }
        for _ in 0..<20 { for token in tokens { _ = verifier.verdict(token) } }
        // All tokens fit. If nine fall into one bucket of eight, one is left out; this is rare.
        #expect(cache.hits { for token in tokens { _ = verifier.verdict(token) } } >= 490)
    }

    @Test(arguments: [VerifiedTokenCache.Retention.tokens, .digests])
    func whatIsAskedForOutlastsWhatIsNot(retention: VerifiedTokenCache.Retention) {
        let kind = CacheKind(retention: retention, hashMask: .max), cache = kind.cache(budget: 262_144)
        let verifier = forge.verifier().caching(in: cache)
        let regulars = (0..<20).map { token("regular-\($0)") }
        for regular in regulars { verifier.settle(regular) }
        var hits: UInt64 = 0, rounds: UInt64 = 0
        // Readers of parallel tests delay freeing, so the number of rounds that it takes is a matter of chance.
        for round in 0..<2_000 where cache.statistics.evictions <= 1_000 {
            rounds += 1
            for number in 0..<20 { verifier.settle(token("twice-\(round)-\(number)")) }
            hits += cache.hits { for regular in regulars { _ = verifier.verdict(regular) } }
        }
        #expect(cache.statistics.evictions > 1_000)
        // A bucket that is full by chance may evict a frequent token for one round.
        #expect(hits > rounds * 19)
    }

    @Test
    func noCallersCodeKeepsMemoryFromBeingFreed() throws {
        let cache = CacheKind.all[0].cache(budget: 65_536), verifier = forge.verifier().caching(in: cache), outer = token("outer")
        verifier.settle(outer)
        // The caller's code runs outside every section, so it delays nothing.
        let (bytes, insertions) = try verifier.withVerified(outer.utf8.span, now: TokenForge.now) { _ in
            // Readers of parallel tests delay freeing, so the number of tokens that it takes is a matter of chance.
            for number in 0..<50_000 where cache.statistics.insertions <= 200 { verifier.settle(token("\(number)")) }
            return (cache.statistics.bytes, cache.statistics.insertions)
        }
        #expect(bytes <= 65_536)
        // Several times the capacity.
        #expect(insertions > 200)
    }
}
