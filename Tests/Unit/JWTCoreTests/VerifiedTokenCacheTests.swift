import Foundation
import JWTCore
import JWTTestSupport
import Locks
import Testing

/// A cache never changes a verdict, and each signature is verified only once.
struct VerifiedTokenCacheTests {
    private let forge = Forges.ed25519

    @Test(arguments: CacheKind.all)
    func aTokenIsKeptAtItsSecondSightAndSaysTheSame(kind: CacheKind) {
        let cache = kind.cache(), plain = forge.verifier(), verifier = plain.caching(in: cache), token = forge.token()
        for (sight, entries) in [0, 1, 1, 1].enumerated() {
            #expect(verifier.answer(token) == plain.answer(token))
            #expect(cache.statistics.entries == entries)
            #expect(cache.statistics.hits == UInt64(max(0, sight - 1)))
        }
        #expect(cache.statistics.insertions == 1 && cache.statistics.misses == 2)
    }

    @Test(arguments: CacheKind.all, Forges.available)
    func whatWasKeptIsAWholeToken(kind: CacheKind, algorithm: SignatureAlgorithm) throws {
        let forge = Forges.of(algorithm), cache = kind.cache()
        let verifier = forge.verifier().caching(in: cache), text = forge.token()
        verifier.settle(text)
        let token = try verifier.verify(text, now: TokenForge.now)
        #expect(cache.statistics.hits == 1)
        #expect([token.issuer, token.subject, token.keyID] == ["https://idp.example", "248289761001", "test-key"])
        #expect(token.algorithm == algorithm && token.keyPosition == 0 && token.expiration == 1_700_003_600)
        #expect(String(decoding: token.payload, as: UTF8.self) == TokenForge.idToken)
    }

    /// CVE-2026-35030 and similar: caches that recognised a token by a part of it.
    @Test(arguments: CacheKind.all)
    func aTokenThatDiffersAnywhereIsAnother(kind: CacheKind) {
        let cache = kind.cache(), plain = forge.verifier(), verifier = plain.caching(in: cache), token = Array(forge.token().utf8)
        verifier.settle(String(decoding: token, as: UTF8.self))
        let others = (0..<token.count).map { place in
            var other = token
            other[place] = other[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            return other
        }
        let lengths = [Array(token.dropLast()), Array(token.dropFirst()), token + [0x41], [0x41] + token, token + token, [], [0x2e]]
        let hits = cache.hits {
            for other in others + lengths {
                let text = String(decoding: other, as: UTF8.self)
                #expect(verifier.answer(text) == plain.answer(text))
                #expect(verifier.verdict(text) != "valid")
            }
        }
        #expect(hits == 0)
        #expect(cache.statistics.entries == 1)
    }

    /// lua-resty-openidc #399: a verdict under one route's options was used for another route.
    @Test(arguments: CacheKind.all)
    func aVerdictHoldsForTheVerifierThatReachedItAlone(kind: CacheKind) {
        let cache = kind.cache(), token = forge.token()
        let first = TokenVerifier(keys: forge.keySet, policy: .lenient)
        first.caching(in: cache).settle(token)
        var audience = ClaimsPolicy.lenient, algorithms = ClaimsPolicy.lenient, types = ClaimsPolicy.lenient, limits = TokenLimits.standard
        audience.audiences = ["client-2"]
        algorithms.algorithms = [.rs256]
        types.types = ["at+jwt"]
        limits.members = 3
        let others =
            [(audience, "audience_mismatch"), (algorithms, "algorithm_not_allowed"), (types, "type_mismatch")]
            .map { (TokenVerifier(keys: first.keys, policy: $0.0), $0.1) }
            + [(TokenVerifier(keys: first.keys, policy: .lenient, limits: limits), "too_many_members")]
        let hits = cache.hits {
            for (other, verdict) in others {
                let cached = other.caching(in: cache)
                for _ in 0..<3 { #expect(cached.verdict(token) == verdict) }
            }
        }
        #expect(hits == 0)
    }

    @Test
    func whatOneLoginExpectsIsAskedOfNoCache() {
        let cache = CacheKind.all[0].cache(), token = forge.token()
        let verifier = forge.verifier().caching(in: cache)
        verifier.settle(token)
        let hits = cache.hits {
            #expect(verifier.expecting(nonce: "n-0S6_WzA2Mj").verdict(token) == "valid")
            #expect(verifier.expecting(nonce: "another").verdict(token) == "nonce_mismatch")
            #expect(verifier.expecting(accessToken: "a").verdict(token) == "missing_claim")
        }
        #expect(hits == 0)
    }

    @Test(arguments: CacheKind.all.filter { $0.hashMask != 0 })
    func aTokenKeptUnderANewSetDropsTheOldSetsVerdicts(kind: CacheKind) {
        let cache = kind.cache(), keys = ReplaceableKeys(forge.keySet), other = forge.verifier().caching(in: cache)
        let verifier = TokenVerifier(keys: keys, policy: .lenient).caching(in: cache)
        let tokens = (0..<20).map { forge.token(TokenForge.idToken.replacing("248289761001", with: "subject-\($0)")) }
        for token in tokens {
            verifier.settle(token)
            other.settle(token)
        }
        let before = cache.statistics.entries
        keys.replace(forge.keySet)
        #expect(cache.statistics.entries == before)
        verifier.settle(forge.token())
        // The other verifier's entries remain.
        #expect(cache.statistics.entries == before - tokens.count + 1)
        #expect(cache.hits { for token in tokens { _ = other.verdict(token) } } == UInt64(before - tokens.count))
        // The doorkeeper remembers them, so one verification of each is enough.
        for token in tokens { _ = verifier.verdict(token) }
        #expect(cache.statistics.entries == before + 1)
    }

    @Test(arguments: CacheKind.all)
    func aSetThatIsReplacedTakesItsVerdictsAlong(kind: CacheKind) {
        let other = Forges.es256.jwk, cache = kind.cache(), token = forge.token()
        let keys = ReplaceableKeys(forge.keySet), verifier = TokenVerifier(keys: keys, policy: .lenient).caching(in: cache)
        verifier.settle(token)
        #expect(verifier.sight(token, in: cache) == "kept, valid")
        for (set, verdict) in [
            (TokenForge.keySet([other]), "key_algorithm_mismatch"), (nil, "keys_unavailable"),
            (TokenForge.keySet([forge.jwk, other]), "valid"),
        ] {
            keys.replace(set)
            #expect(verifier.sight(token, in: cache) == verdict)
        }
        // The doorkeeper remembered it, so one verification was enough, and it took its old place.
        #expect(verifier.sight(token, in: cache) == "kept, valid")
        #expect(cache.statistics.entries == 1)
    }

    @Test(arguments: CacheKind.all, ClaimsPolicyTimeTests.boundaries(leeway: 60))
    func everyDateIsJudgedAtEveryHit(kind: CacheKind, boundary: ClaimsPolicyTimeTests.Boundary) {
        let cache = kind.cache(maximumAge: 1_000_000), verifier = forge.verifier(boundary.policy).caching(in: cache)
        let token = forge.token(boundary.claims)
        // Cached at its earliest valid time: a verdict from the future does not count.
        verifier.settle(token, now: NumericDate(seconds: boundary.before == "valid" ? boundary.turning - 60 : boundary.turning))
        #expect(cache.statistics.entries == 1)
        let offsets: [Int64] = [-60, -1, 0, 1, 60]
        for offset in offsets {
            let verdict = verifier.verdict(token, now: NumericDate(seconds: boundary.turning + offset))
            #expect(verdict == (offset < 0 ? boundary.before : boundary.after))
        }
        let nanosecond = NumericDate(seconds: boundary.turning - 1, nanoseconds: 999_999_999)
        #expect(verifier.verdict(token, now: nanosecond) == boundary.before)
        #expect(cache.statistics.hits >= 3)
    }

    @Test(arguments: CacheKind.all)
    func aVerdictAgesToTheSecond(kind: CacheKind) {
        let cache = kind.cache(maximumAge: 300), verifier = forge.verifier().caching(in: cache), token = forge.token()
        verifier.settle(token)
        // Verified again at -1 and at 598, because the clock was set back, at 299 and at 599.
        let ages: [(Int64, String)] = [
            (0, "kept, valid"), (1, "kept, valid"), (299, "kept, valid"), (-1, "valid"), (298, "kept, valid"), (299, "valid"),
            (300, "kept, valid"), (598, "kept, valid"), (599, "valid"), (600, "kept, valid"), (598, "valid"),
        ]
        for (age, expected) in ages {
            #expect(verifier.sight(token, in: cache, now: TokenForge.now.advanced(bySeconds: age)) == expected, "at \(age)")
        }
    }

    @Test(arguments: [Int64.min, -1, 0])
    func withoutAnAgeNothingIsKept(age: Int64) {
        let cache = CacheKind.all[0].cache(maximumAge: age), verifier = forge.verifier().caching(in: cache)
        for _ in 0..<4 { #expect(verifier.verdict(forge.token()) == "valid") }
        #expect(cache.statistics.entries == 0)
    }

    @Test
    func noMomentOverflows() {
        let cache = CacheKind.all[0].cache(maximumAge: .max), token = forge.token("{}")
        let verifier = forge.verifier().caching(in: cache)
        for seconds in [Int64.min, -1, 0, Int64.max, Int64.min, Int64.max] {
            for _ in 0..<3 { #expect(verifier.verdict(token, now: NumericDate(seconds: seconds)) == "valid") }
        }
    }

    @Test(arguments: CacheKind.all)
    func checksOfTheCallersOwnAreAskedEveryTime(kind: CacheKind) {
        let asked = Guarded(0), refuses = Guarded(false)
        var policy = ClaimsPolicy.lenient
        policy.checks = [
            { _, _ in
                asked.withLock { $0 += 1 }
                return refuses.withLock { $0 } ? .refused(.revoked) : .accepted
            }
        ]
        let cache = kind.cache(), verifier = forge.verifier(policy).caching(in: cache), token = forge.token()
        for _ in 0..<5 { #expect(verifier.verdict(token) == "valid") }
        refuses.withLock { $0 = true }
        #expect(verifier.verdict(token) == "revoked")
        #expect(asked.withLock { $0 } == 6)
        #expect(cache.statistics.hits == 4)
    }

    @Test(arguments: CacheKind.all)
    func nothingIsKeptOfWhatIsRefused(kind: CacheKind) {
        let cache = kind.cache(), token = forge.token(#"{"exp":1000}"#), forged = String(forge.token().dropLast(8)) + "AAAAAAAA"
        let verifier = forge.verifier().caching(in: cache)
        for _ in 0..<4 {
            #expect(verifier.verdict(token) == "expired")
            #expect(verifier.verdict(forged) == "signature_invalid")
        }
        #expect(cache.statistics.insertions == 0 && cache.statistics.hits == 0)
    }

    @Test(arguments: CacheKind.all)
    func whatIsRemovedIsVerifiedAgain(kind: CacheKind) {
        let cache = kind.cache(shards: 4), verifier = forge.verifier().caching(in: cache), token = forge.token()
        let empty = cache.statistics.bytes
        verifier.settle(token)
        cache.removeAll()
        #expect(cache.statistics.entries == 0)
        // Parallel tests read too, and removed entries wait for those readers, which a busy machine may hold up.
        let limit = ContinuousClock.now + .seconds(60)
        while cache.statistics.bytes != empty, ContinuousClock.now < limit {
            cache.removeAll()
            sched_yield()
        }
        #expect(cache.statistics.bytes == empty)
        #expect(verifier.sight(token, in: cache) == "valid")
    }

    @Test
    func aTokenIsNotKeptWhereThatWouldTakeWaiting() {
        let cache = CacheKind.all[0].cache(waits: false), verifier = forge.verifier().caching(in: cache), token = forge.token()
        cache.withShardsLocked { for _ in 0..<4 { #expect(verifier.verdict(token) == "valid") } }
        #expect(cache.statistics.insertions == 0)
        // A parallel test that forks takes the locks too.
        for _ in 0..<1_000 where cache.statistics.insertions == 0 { verifier.settle(token) }
        #expect(cache.statistics.insertions == 1)
    }

    /// A fork also takes every lock while it lasts.
    @Test
    func whereAThreadWaitsATokenIsKeptThoughItsShardWasLocked() {
        let cache = CacheKind.all[0].cache(), verifier = forge.verifier().caching(in: cache), token = forge.token()
        let hasBegun = DispatchSemaphore(value: 0), isDone = DispatchSemaphore(value: 0)
        cache.withShardsLocked {
            Thread {
                hasBegun.signal()
                verifier.settle(token)
                isDone.signal()
            }.start()
            hasBegun.wait()
        }
        isDone.wait()
        #expect(cache.statistics.entries == 1)
    }

    @Test
    func whatIsRemovedDuringAVerificationIsNotKeptByIt() {
        let cache = CacheKind.all[0].cache(), removes = Guarded(false)
        var policy = ClaimsPolicy.lenient
        policy.checks = [
            { _, _ in
                if removes.withLock({ $0 }) { cache.removeAll() }
                return .accepted
            }
        ]
        let verifier = forge.verifier(policy).caching(in: cache), token = forge.token()
        #expect(verifier.verdict(token) == "valid")
        removes.withLock { $0 = true }
        for _ in 0..<3 { #expect(verifier.verdict(token) == "valid") }
        #expect(cache.statistics.insertions == 0)
    }

    @Test
    func aVerifierWithinAVerificationFindsItsOwnTokens() throws {
        let cache = CacheKind.all[0].cache(), verifier = forge.verifier().caching(in: cache)
        let outer = forge.token(), inner = Forges.ed25519.token(#"{"sub":"inner"}"#)
        for _ in 0..<2 { verifier.settle(outer); verifier.settle(inner) }
        let answers = try verifier.withVerified(outer.utf8.span, now: TokenForge.now) { claims in
            [text(claims.payload), verifier.answer(inner), text(claims.payload)]
        }
        #expect(answers == [TokenForge.idToken, forge.verifier().answer(inner), TokenForge.idToken])
    }
}
