import JWTCore
import JWTSigning
import JWTTestSupport
import Locks
import Testing

/// Run under ThreadSanitizer: `swift test --sanitize=thread --filter ThreadSafetyTests`.
struct ThreadSafetyTests {
    private static let forges = [SignatureAlgorithm.rs256, .ps256, .es256, .edDSA, .hs256].map { TokenForge($0, keyID: $0.name) }

    @Test
    func verdictsHoldWhileKeySetsAreExchanged() {
        // The set holds either the even or the odd keys: each token is valid or its key unknown, never anything else.
        let halves = [0, 1].map { half in Self.forges.enumerated().filter { $0.offset % 2 == half }.map { $0.element.jwk } }
        let source = ReplaceableKeys(TokenForge.keySet(halves[0]))
        let tokens = Self.forges.map { $0.token() }
        let running = Guarded(4), seen = Guarded<Set<String>>([]), counts = Guarded([0, 0])
        onThreads(5) { thread in
            if thread == 0 {
                var round = 0
                while running.withLock({ $0 > 0 }) {
                    round += 1
                    source.replace(TokenForge.keySet(halves[round % 2]))
                }
                return
            }
            var policy = ClaimsPolicy.lenient
            policy.algorithms = .asymmetric
            var symmetric = policy
            symmetric.algorithms = .symmetric
            let verifiers = [TokenVerifier(keys: source, policy: policy), TokenVerifier(keys: source, policy: symmetric)]
            for round in 0..<300 {
                let index = (round + thread) % tokens.count
                let verdict = verifiers[index == 4 ? 1 : 0].verdict(tokens[index])
                _ = seen.withLock { $0.insert(verdict) }
                counts.withLock { $0[verdict == "valid" ? 0 : 1] += 1 }
            }
            running.withLock { $0 -= 1 }
        }
        #expect(seen.withLock { $0.subtracting(["valid", "unknown_key"]) }.isEmpty)
        #expect(counts.withLock { $0[0] } > 0)
        #expect(counts.withLock { $0.reduce(0, +) } == 1_200)
    }

    /// Keys made on one thread, used by all, and released by the last one, while each thread still has contexts of them.
    @Test
    func keysMayDieWhileThreadsRememberThem() {
        let jwks = Self.forges.map(\.jwk), tokens = Self.forges.map { $0.token() }
        let shared = Guarded<[KeySet]>([]), wrong = Guarded<[String]>([])
        onThreads(4) { thread in
            for round in 0..<100 {
                let index = (round + thread) % jwks.count
                let made = TokenForge.keySet([jwks[index]])
                let met = shared.withLock { sets in
                    sets.append(made)
                    return sets.count > 6 ? sets.removeFirst() : made
                }
                for set in [made, met] {
                    let token = tokens.first { TokenVerifier(keys: set, policy: .lenient).verdict($0) == "valid" }
                    if token == nil { wrong.withLock { $0.append("\(set.keys.map(\.algorithmName))") } }
                }
            }
        }
        #expect(wrong.withLock { $0 } == [])
    }

    /// Room for two tables, and a third key that takes it again and again: readers see their own key's table or none.
    @Test(.tierTurn)
    func verdictsHoldWhileTablesComeAndGo() throws {
        let forges = (0..<3).map { _ in TokenForge(.es256) }
        let message: [UInt8] = [1, 2, 3]
        let signatures = try forges.map { try #require($0.key.signature(of: message)) }
        let ample = KeyTables(budget: 1 << 20, isInBackground: false)
        let sample = try #require(KernelKey(forges[0].keySet.keys[0], tables: ample))
        ample.prepare(sample)
        let tables = KeyTables(budget: withExtendedLifetime(sample) { 2 * ample.usage.bytes }, isInBackground: false)
        let keys = try forges.map { try #require(KernelKey($0.keySet.keys[0], tables: tables)) }
        let running = Guarded(3), verdicts = Guarded<[Bool?: Int]>([:])
        onThreads(4) { thread in
            if thread == 3 {
                var round = 0
                while running.withLock({ $0 > 0 }) {
                    tables.prepare(keys[round % 3])
                    round += 1
                }
                return
            }
            var seen: [Bool?: Int] = [:], round = 0
            // A key without a table returns no verdict, without delay.
            while seen[true] ?? 0 < 300, round < 50_000_000 {
                round += 1
                let signature = signatures[round % 7 == 0 ? (thread + 1) % 3 : thread]
                let verdict = keys[thread].verifies(.es256, message: message.span, signature: signature.span)
                seen[verdict.map { $0 == (round % 7 != 0) }, default: 0] += 1
            }
            verdicts.withLock { $0.merge(seen, uniquingKeysWith: +) }
            running.withLock { $0 -= 1 }
        }
        #expect(verdicts.withLock { $0[false] } == nil)
        #expect(verdicts.withLock { $0[true] ?? 0 } > 0)
        #expect(tables.usage.bytes <= tables.budget)
    }

    /// A slot that leaves the lists moves another one, whose key a third thread may be releasing. A deadlock would stop this test.
    @Test
    func keysMayBeReleasedWhileOthersLeaveTheTables() {
        let sample = Forges.es256.keySet.keys[0]
        let tables = KeyTables(budget: 64 << 20, isInBackground: false)
        let running = Guarded(3)
        onThreads(4) { thread in
            if thread == 3 {
                while running.withLock({ $0 > 0 }) { tables.settle() }
                return
            }
            for _ in 0..<2_000 {
                var keys = (0..<8).compactMap { _ in KernelKey(sample, tables: tables) }
                while !keys.isEmpty { keys.removeFirst() }
            }
            running.withLock { $0 -= 1 }
        }
        #expect(tables.usage.keys == 0)
    }
}
