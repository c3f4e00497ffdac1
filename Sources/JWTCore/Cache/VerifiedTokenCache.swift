internal import CReadCopyUpdate
internal import Locks
internal import Synchronization

/// Remembers verified tokens, so that a repeated token needs no second signature verification. Opt-in: a verifier uses a cache only after
/// ``TokenVerifier/caching(in:)``.
///
/// ```swift
/// let cache = VerifiedTokenCache(budget: 16 << 20)
/// let verifier = TokenVerifier(keys: keys, policy: policy).caching(in: cache)
/// ```
///
/// A hit means only this: the same token, byte for byte, had a valid signature by a key of the key set in use now. Every hit judges the
/// whole policy again for the current time: dates, revoked ids, your own checks. Refused tokens are never remembered. When another key set
/// replaces this one, everything verified with the old one is forgotten.
///
/// A token is cached the second time it is seen; the least useful ones are evicted (SIEVE); no thread waits for another. Decision 0013 has
/// the reasons.
@safe
public final class VerifiedTokenCache: Sendable {
    /// How a cached token is recognised. Its header and claims are stored either way.
    public enum Retention: Sendable {
        /// By the token itself: fastest. An attacker who reads the process memory can use the tokens in it.
        case tokens
        /// By a keyed 256-bit digest of the token (SHA-256 under a secret of this cache): no part of the signature is stored. Each hit
        /// computes the digest.
        case digests
    }

    /// Upper limit in bytes for everything together: entries, those that wait to be freed, and the table, which takes at least 2.3 KB.
    public let budget: Int
    /// The age of a signature verification after which the token is verified again, in whole seconds.
    public var maximumAge: Duration { .seconds(maximumAgeSeconds) }
    private let maximumAgeSeconds: Int64
    private let identity: TokenIdentity
    private let table: CacheTable
    private let shards: [CacheShard]
    private let counters = CacheCounters()
    private let fixedBytes: Int
    /// Increases when everything is removed, so that verifications in progress then store nothing.
    private let generation = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - budget: upper limit in bytes for everything together. A token of 1 KB takes about 2.5 KB. One that takes more than about 1/16 of
    ///     its shard is not cached.
    ///   - retention: how a cached token is recognised.
    ///   - maximumAge: the age of a signature verification after which the token is verified again. Whole seconds count.
    ///   - shards: how many threads can insert tokens at once; rounded up to a power of two, and fewer if the budget is small. Lookups are
    ///     not limited.
    public convenience init(budget: Int, retention: Retention = .tokens, maximumAge: Duration = .seconds(300), shards: Int = 16) {
        self.init(budget: budget, retention: retention, maximumAge: maximumAge, shards: shards, hashMask: .max)
    }

    /// - Parameters:
    ///   - hashMask: zero gives every token the same hash: only speed may suffer.
    ///   - waits: whether an inserting thread waits for another one. For tests that count entries: a fork takes all locks.
    package init(budget: Int, retention: Retention, maximumAge: Duration, shards: Int, hashMask: UInt64, waits: Bool = false) {
        let budget = max(0, budget), bucketCount = Self.bucketCount(budget)
        let shardCount = min(Self.powerOfTwo(shards), max(1, Self.powerOfTwo(budget / Self.smallestShard / 2)), bucketCount)
        let slotCount = bucketCount * CacheTable.ways, slotsPerShard = slotCount / shardCount
        let table = CacheTable(bucketCount: bucketCount)
        let fixedBytes = slotCount * CacheShard.bytesPerSlot + CacheCounters.byteCount
        let shardBudget = max(0, budget - fixedBytes) / shardCount
        self.budget = budget
        maximumAgeSeconds = maximumAge.components.seconds
        self.table = table
        self.fixedBytes = fixedBytes
        identity = TokenIdentity(retention, hashMask: hashMask)
        self.shards = (0..<shardCount).map { shard in
            CacheShard(table, slots: slotsPerShard * shard..<slotsPerShard * (shard + 1), budget: shardBudget, waits: waits)
        }
        register(self.shards)
    }

    deinit {
        unregister()
        for shard in shards { shard.removeAll() }
        // SAFETY: a reader retains the cache, so there are no readers now.
        unsafe counters.release()
        unsafe table.release()
    }

    /// One slot per 512 bytes. Small tokens take a kilobyte and usual ones two, so few buckets are ever full. At most eight million slots.
    private static func bucketCount(_ budget: Int) -> Int { powerOfTwo(min(budget / 512 / CacheTable.ways, 1 << 20)) }
    private static let smallestShard = 65_536

    /// The smallest power of two that is not below `number`.
    private static func powerOfTwo(_ number: Int) -> Int {
        var power = 1
        while power < min(number, 1 << 20) { power *= 2 }
        return power
    }

    // Lookup and insertion

    /// The lookup key of a verification.
    struct Question {
        let key: CacheEntry.Key
        let now: Int64
        let generation: UInt64
    }

    /// The lookup key for `token` under the policy and limits of `context`, with the keys of the set that has this serial.
    func question(_ token: Span<UInt8>, context: UInt64, keySetSerial: UInt64, now: NumericDate) -> Question {
        let key = CacheEntry.Key(hash: identity.hash(token, context: context), context: context, keySetSerial: keySetSerial)
        return Question(key: key, now: now.seconds, generation: generation.load(ordering: .acquiring))
    }

    /// The claims of `token`, if its signature was verified under the same conditions as in the question, and recently enough.
    func claims(of token: Span<UInt8>, _ question: Question) -> CachedClaims? {
        guard let reader = unsafe crcu_enter() else { return nil }
        defer { unsafe crcu_leave(reader) }
        // An entry has the token, and its claims in about as many bytes.
        let found = table.first(question.key.hash, reading: 2 * token.count) { entry in
            holds(entry.facts, question) && identity.matches(entry.identity, token)
        }
        counters.count(isHit: found != nil, record: UInt(bitPattern: reader))
        guard let found else { return nil }
        found.entry.noteUse()
        // SAFETY: loaded within the section, so it is not freed before the section ends.
        return CachedClaims(copying: found.entry)
    }

    /// Whether a verdict for this token is still valid. One from the future is not: the clock was set back, and its age is unknown.
    @inline(__always)
    private func holds(_ facts: CacheEntry.Facts, _ question: Question) -> Bool {
        guard facts.key.context == question.key.context, facts.key.keySetSerial == question.key.keySetSerial else { return false }
        let (age, overflow) = question.now.subtractingReportingOverflow(facts.verifiedAt)
        return !overflow && age >= 0 && age < maximumAgeSeconds
    }

    /// Caches the claims of `token`, which were verified after `question` was asked.
    func keep(_ claims: borrowing Claims, of token: Span<UInt8>, _ question: Question) {
        guard maximumAgeSeconds > 0, claims.keySetSerial != 0 else { return }
        // The set may have been replaced since the question: the set that verified counts.
        let key = CacheEntry.Key(hash: question.key.hash, context: question.key.context, keySetSerial: claims.keySetSerial)
        let lengths = CacheEntry.Lengths(claims)
        let byteCount = CacheEntry.byteCount(lengths, identityCount: identity.byteCount(token.count))
        let shard = shards[table.bucket(of: key.hash) * shards.count / table.bucketCount]
        shard.keep(key, byteCount: byteCount) {
            generation.load(ordering: .acquiring) == question.generation
        } isSame: { entry in
            entry.key.context == key.context && identity.matches(entry.identity, token)
        } isCurrent: { entry in
            entry.key.keySetSerial == key.keySetSerial && entry.facts.verifiedAt == question.now
        } make: {
            identity.withBytes(of: token) { CacheEntry(claims, identity: $0, key: key, verifiedAt: question.now) } ?? nil
        }
    }

    /// Holds the lock of every shard while `body` runs. For tests.
    package func withShardsLocked(_ body: () -> Void) {
        for shard in shards { shard.lock() }
        body()
        for shard in shards { shard.unlock() }
    }

    // Removal and statistics

    /// Removes everything. A verification that began before stores nothing afterwards.
    public func removeAll() {
        generation.wrappingAdd(1, ordering: .acquiringAndReleasing)
        for shard in shards { shard.removeAll() }
    }

    /// The contents and counters of a cache.
    public struct Statistics: Sendable, Hashable {
        /// Tokens found, whatever the policy's verdict. Threads that count at once may lose a count; also in ``misses``.
        public var hits: UInt64 = 0
        /// Tokens not found.
        public var misses: UInt64 = 0
        /// Tokens cached.
        public var insertions: UInt64 = 0
        /// Tokens evicted.
        public var evictions: UInt64 = 0
        /// Tokens in the cache now. Those of a replaced key set count until a token is cached under its successor.
        public var entries = 0
        /// Bytes in use, of everything that the budget limits.
        public var bytes = 0
    }

    public var statistics: Statistics {
        var statistics = Statistics(hits: counters.hits, misses: counters.misses, bytes: fixedBytes)
        for shard in shards {
            let counts = shard.counts
            statistics.insertions += counts.insertions
            statistics.evictions += counts.evictions
            statistics.entries += counts.entries
            statistics.bytes += counts.bytes + counts.droppedBytes
        }
        return statistics
    }
}
