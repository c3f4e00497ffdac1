import JWTCore
import JWTTestSupport
import Locks
import Testing

/// A cache under test: the results are the same for every retention and however badly it hashes.
struct CacheKind: Sendable, CustomTestStringConvertible {
    let retention: VerifiedTokenCache.Retention
    let hashMask: UInt64

    static let all = [
        Self(retention: .tokens, hashMask: .max), Self(retention: .digests, hashMask: .max), Self(retention: .tokens, hashMask: 0),
        Self(retention: .digests, hashMask: 0),
    ]

    var testDescription: String { "\(retention)\(hashMask == 0 ? ", one hash for all" : "")" }

    /// - Parameter waits: whether every token is cached even while a parallel test forks, which takes every cache's locks.
    func cache(budget: Int = 1 << 20, maximumAge: Int64 = 300, shards: Int = 1, waits: Bool = true) -> VerifiedTokenCache {
        VerifiedTokenCache(
            budget: budget, retention: retention, maximumAge: .seconds(maximumAge), shards: shards, hashMask: hashMask, waits: waits)
    }
}

extension TokenVerifier {
    /// The verifier's full result for a token: the claims it lends, or the error.
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

    /// The verdict, and whether the token was in `cache`: "valid", or "kept, valid".
    func sight(_ token: String, in cache: VerifiedTokenCache, now: NumericDate = TokenForge.now) -> String {
        let hits = cache.statistics.hits
        let verdict = verdict(token, now: now)
        return cache.statistics.hits > hits ? "kept, \(verdict)" : verdict
    }

    /// Verifies until the token is cached: it takes two verifications.
    func settle(_ token: String, now: NumericDate = TokenForge.now) {
        for _ in 0..<2 { _ = verdict(token, now: now) }
    }
}

extension VerifiedTokenCache {
    /// The number of cache hits in `body`.
    func hits(_ body: () -> Void) -> UInt64 {
        let before = statistics.hits
        body()
        return statistics.hits - before
    }
}

/// A source whose keys can be replaced or missing. It counts its calls, and knows whether a set is lent.
final class ReplaceableKeys: KeySource {
    private struct State {
        var keys: KeySet?
        var asked = 0
        var lent = 0
    }

    private let state: Locked<State>

    init(_ keys: KeySet?) { state = Locked(State(keys: keys)) }

    var asked: Int { state.withLock(\.asked) }
    var areLent: Bool { state.withLock { $0.lent > 0 } }

    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let keys = state.withLock { state in
            state.asked += 1
            state.lent += 1
            return state.keys
        }
        defer { state.withLock { $0.lent -= 1 } }
        guard let keys else { throw .keysUnavailable }
        return try body(keys)
    }

    func replace(_ keys: KeySet?) { state.withLock { $0.keys = keys } }
}
