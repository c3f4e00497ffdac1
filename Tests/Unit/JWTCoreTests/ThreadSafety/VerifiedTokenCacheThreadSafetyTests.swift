import JWTCore
import JWTTestSupport
import Locks
import Testing

/// Run under ThreadSanitizer with the others of this name.
struct VerifiedTokenCacheThreadSafetyTests {
    /// A cache much too small for its tokens, with frequent removals and key changes: entries are freed while threads read.
    @Test(arguments: CacheKind.all)
    func answersHoldWhileEntriesComeAndGo(kind: CacheKind) {
        let cache = kind.cache(budget: 65_536, shards: 2, waits: false), forge = Forges.hs256
        let sets = [forge.keySet, TokenForge.keySet([Forges.ed25519.jwk]), forge.keySet]
        var policy = ClaimsPolicy.lenient
        policy.algorithms = .symmetric
        let keys = ReplaceableKeys(sets[0]), verifier = TokenVerifier(keys: keys, policy: policy).caching(in: cache)
        let payloads = (0..<48).map { #"{"sub":"\#($0)","x":"\#(String(repeating: "x", count: $0 * 20))"}"# }
        let tokens = payloads.map { forge.token($0) }, running = Guarded(3), wrong = Guarded<Set<String>>([])
        onThreads(4) { thread in
            var generator = SeededGenerator(seed: UInt64(thread))
            if thread == 0 {
                while running.withLock({ $0 > 0 }) {
                    keys.replace(sets.randomElement(using: &generator))
                    if Int.random(in: 0..<50, using: &generator) == 0 { cache.removeAll() }
                    if cache.statistics.bytes > cache.budget { _ = wrong.withLock { $0.insert("over the budget") } }
                }
                return
            }
            for _ in 0..<4_000 {
                let number = min(Int.random(in: 0..<48, using: &generator), Int.random(in: 0..<48, using: &generator))
                let answer = Self.answer(verifier, tokens[number])
                if answer != payloads[number], answer != "key_algorithm_mismatch" { _ = wrong.withLock { $0.insert(answer) } }
            }
            running.withLock { $0 -= 1 }
        }
        #expect(wrong.withLock { $0 } == [])
        // The cache takes part: threads that were interrupted between two key changes may have had no hit, and entries that they left may
        // still fill it for a while.
        keys.replace(sets[0])
        for _ in 0..<10_000 where cache.statistics.hits == 0 { _ = Self.answer(verifier, tokens[0]) }
        #expect(cache.statistics.hits > 0)
    }

    private static func answer(_ verifier: TokenVerifier<ReplaceableKeys>, _ token: String) -> String {
        do throws(VerificationError) {
            return try verifier.withVerified(token.utf8.span, now: TokenForge.now) { text($0.payload) }
        } catch {
            return error.code.name
        }
    }

    /// A hit counts for the set that is lent at that time: after a key is removed for all threads, there are no more hits for it.
    @Test
    func noHitOutlivesItsKey() {
        let cache = CacheKind.all[0].cache(), forge = Forges.hs256, token = forge.token()
        let wrong = Guarded<[String]>([])
        for _ in 0..<50 {
            let keys = ReplaceableKeys(forge.keySet), verifier = TokenVerifier(keys: keys, policy: .lenient).caching(in: cache)
            let isGone = Guarded(false)
            onThreads(3) { thread in
                for round in 0..<60 {
                    if thread == 0, round == 30 {
                        keys.replace(TokenForge.keySet([Forges.ed25519.jwk]))
                        isGone.withLock { $0 = true }
                    }
                    let wasGone = isGone.withLock { $0 }
                    if verifier.verdict(token) == "valid", wasGone { wrong.withLock { $0.append("round \(round)") } }
                }
            }
        }
        #expect(wrong.withLock { $0 } == [])
    }

    /// A cache released with its last verifier, just after its entries were read.
    @Test
    func aCacheMayDieOnAnyThread() {
        let forge = Forges.hs256, tokens = (0..<8).map { forge.token(#"{"sub":"\#($0)"}"#) }, set = forge.keySet
        let shared = Guarded<[TokenVerifier<KeySet>]>([]), wrong = Guarded(0)
        onThreads(4) { thread in
            for round in 0..<200 {
                let made = TokenVerifier(keys: set, policy: .lenient).caching(in: CacheKind.all[round % 4].cache(budget: 65_536))
                let met = shared.withLock { verifiers in
                    verifiers.append(made)
                    return verifiers.count > 6 ? verifiers.removeFirst() : made
                }
                for verifier in [made, met, met, met] {
                    for token in tokens where verifier.verdict(token) != "valid" { wrong.withLock { $0 += 1 } }
                }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }
}
