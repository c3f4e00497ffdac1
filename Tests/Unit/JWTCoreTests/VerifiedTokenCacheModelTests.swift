import JWTCore
import JWTTestSupport
import Testing

/// Compares a cache with an uncached verifier and a dictionary, in thousands of seeded operations: the results are the same, and the
/// dictionary allows every hit.
struct VerifiedTokenCacheModelTests {
    @Test(arguments: CacheKind.all, [UInt64(1), 2, 3])
    func aCacheChangesNoAnswer(kind: CacheKind, seed: UInt64) {
        var world = World(kind, seed: seed)
        let hits = kind.hashMask == 0 ? 30 : 150
        // The cache drops an entry where a reader delays the freeing of others, and parallel tests have readers: then more steps follow.
        for step in 0..<200_000 where step < 4_000 || !world.hasSeen(hits: hits, refusals: 100, insertions: 50) {
            guard world.step() else { return }
        }
        #expect(world.hasSeen(hits: hits, refusals: 100, insertions: 50))
    }

    private struct World {
        let cache: VerifiedTokenCache
        let maximumAge: Int64 = 120
        private let plain: [TokenVerifier<ReplaceableKeys>]
        private let cached: [TokenVerifier<ReplaceableKeys>]
        private let keys: ReplaceableKeys
        private let tokens: [String]
        /// For each accepted token: the set, as the number of replacements, and the time. The last three count.
        private var verified: [Sight: [(set: Int, at: Int64)]] = [:]
        private var generator: SeededGenerator
        private var set = 0
        private var now: Int64 = 1_700_000_000
        private var hits = 0
        private var refusals = 0

        private struct Sight: Hashable {
            let token: String
            let verifier: Int
        }

        init(_ kind: CacheKind, seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            // Room for a few of the tokens, and not for the largest.
            cache = kind.cache(budget: 32_768, maximumAge: maximumAge, shards: 2)
            tokens = Self.tokens(&generator)
            let keys = ReplaceableKeys(Self.sets[0])
            self.keys = keys
            plain = Self.verifiers(keys)
            cached = plain.map { [cache] in $0.caching(in: cache) }
        }

        private static let forges = [TokenForge(.ed25519, keyID: "a"), TokenForge(.es256, keyID: "b")]
        private static let sets = [forges.map(\.jwk), [forges[0].jwk], [forges[1].jwk], []].map { TokenForge.keySet($0) }

        private static func tokens(_ generator: inout SeededGenerator) -> [String] {
            (0..<24).map { number in
                let start = 1_700_000_000 + Int64.random(in: 0..<500, using: &generator)
                let end = start + Int64.random(in: 1..<2_500, using: &generator)
                let padding = String(repeating: "x", count: Int.random(in: 0..<600, using: &generator))
                let claims = #"{"jti":"\#(number % 12)","aud":"\#(number % 3)","nbf":\#(start),"exp":\#(end),"x":"\#(padding)"}"#
                return forges[number % 2].token(claims)
            }
        }

        private static func verifiers(_ keys: ReplaceableKeys) -> [TokenVerifier<ReplaceableKeys>] {
            var audience = ClaimsPolicy.lenient, revoked = ClaimsPolicy.lenient, limits = TokenLimits.standard
            audience.audiences = ["1", "2"]
            revoked.revokedTokenIDs = ["3", "5"]
            revoked.leeway = .zero
            limits.stringBytes = 300
            return [
                TokenVerifier(keys: keys, policy: audience), TokenVerifier(keys: keys, policy: revoked),
                TokenVerifier(keys: keys, policy: .lenient, limits: limits),
            ]
        }

        func hasSeen(hits: Int, refusals: Int, insertions: UInt64) -> Bool {
            self.hits > hits && self.refusals > refusals && cache.statistics.insertions > insertions
        }

        /// One operation; false after a wrong result.
        mutating func step() -> Bool {
            switch Int.random(in: 0..<1_000, using: &generator) {
            case 0..<4: replaceKeys()
            case 10..<12:
                cache.removeAll()
                verified = [:]
            case 15..<45: now += Int64.random(in: 0..<30, using: &generator)
            case 45..<50: now -= Int64.random(in: 0..<60, using: &generator)
            default: return verify()
            }
            return true
        }

        /// Sometimes the same set again: that is another generation of the keys but the same set, so its verdicts stay valid.
        private mutating func replaceKeys() {
            set = Int.random(in: 0..<Self.sets.count, using: &generator)
            keys.replace(Self.sets[set])
        }

        private mutating func verify() -> Bool {
            // Some tokens are frequent.
            let number = min(Int.random(in: 0..<tokens.count, using: &generator), Int.random(in: 0..<tokens.count, using: &generator))
            let verifier = Int.random(in: 0..<cached.count, using: &generator), token = perhapsMutated(tokens[number])
            let moment = NumericDate(seconds: now, nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &generator))
            let before = cache.statistics
            let answer = cached[verifier].answer(token, now: moment), expected = plain[verifier].answer(token, now: moment)
            let after = cache.statistics, sight = Sight(token: token, verifier: verifier), isHit = after.hits > before.hits
            let isAllowed = verified[sight, default: []].contains { $0.set == set && now >= $0.at && now - $0.at < maximumAge }
            #expect(answer == expected)
            #expect(!isHit || isAllowed)
            #expect(after.bytes <= cache.budget)
            let isAccepted = expected.hasPrefix("{")
            if isAccepted, !isHit { verified[sight, default: []].append((set, now)) }
            hits += isHit ? 1 : 0
            refusals += isAccepted ? 0 : 1
            return answer == expected && (!isHit || isAllowed)
        }

        /// Changes one character or cuts the token in one case out of ten.
        private mutating func perhapsMutated(_ token: String) -> String {
            guard Int.random(in: 0..<10, using: &generator) == 0 else { return token }
            var bytes = Array(token.utf8)
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            if Bool.random(using: &generator) {
                bytes[place] = UInt8(ascii: "A") + UInt8.random(in: 0..<26, using: &generator)
            } else {
                bytes.removeSubrange(place...)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
