import JWTCore
import JWTTestSupport
import Testing

/// A cache to be tested: the same facts hold whatever it keeps and however badly it hashes.
struct CacheKind: Sendable, CustomTestStringConvertible {
    let retention: VerifiedTokenCache.Retention
    let hashMask: UInt64

    static let all = [
        Self(retention: .tokens, hashMask: .max), Self(retention: .digests, hashMask: .max), Self(retention: .tokens, hashMask: 0),
        Self(retention: .digests, hashMask: 0),
    ]

    var testDescription: String { "\(retention)\(hashMask == 0 ? ", one hash for all" : "")" }

    func cache(budget: Int = 1 << 20, maximumAge: Int64 = 300, shards: Int = 1) -> VerifiedTokenCache {
        VerifiedTokenCache(budget: budget, retention: retention, maximumAge: maximumAge, shards: shards, hashMask: hashMask)
    }
}

extension TokenVerifier {
    /// All that the verifier says of a token: the claims it lends, or the error.
    func answer(_ token: String, now: NumericDate = TokenForge.now) -> String {
        do throws(VerificationError) {
            return try withVerified(token.utf8.span, now: now) { claims in
                let header = String(decoding: Array(copying: claims.header.value.raw), as: UTF8.self)
                let dates = [claims.expiration, claims.notBefore, claims.issuedAt].map { $0.map { "\($0.seconds)" } ?? "-" }
                let names = [claims.issuer?.string, claims.subject?.string, claims.header.keyID?.string].map { $0 ?? "-" }
                return "\(header) \(text(claims.payload)) \(dates) \(names) \(claims.algorithm) \(claims.keyPosition)"
            }
        } catch {
            return "\(error)"
        }
    }

    /// The verdict, and whether `cache` had the token: "valid", or "kept, valid".
    func sight(_ token: String, in cache: VerifiedTokenCache, now: NumericDate = TokenForge.now) -> String {
        let hits = cache.statistics.hits
        let verdict = verdict(token, now: now)
        return cache.statistics.hits > hits ? "kept, \(verdict)" : verdict
    }

    /// Answers until the token is kept: it takes two.
    func settle(_ token: String, now: NumericDate = TokenForge.now) {
        for _ in 0..<2 { _ = verdict(token, now: now) }
    }
}

extension VerifiedTokenCache {
    /// How many of the verifications in `body` found their token.
    func hits(_ body: () -> Void) -> UInt64 {
        let before = statistics.hits
        body()
        return statistics.hits - before
    }
}

/// A source whose keys can be exchanged.
final class ReplaceableKeys: KeySource {
    private let current: Guarded<KeySet?>

    init(_ keys: KeySet?) { current = Guarded(keys) }

    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        guard let keys = current.withLock({ $0 }) else { throw .keysUnavailable }
        return try body(keys)
    }

    func replace(_ keys: KeySet?) { current.withLock { $0 = keys } }
}
