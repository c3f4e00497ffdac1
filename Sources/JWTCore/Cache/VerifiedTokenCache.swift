internal import CReadCopyUpdate
internal import Synchronization

/// Remembers tokens whose signatures were verified, so that one that comes again is judged without its signature being verified again.
/// Opt-in: a verifier asks one if ``TokenVerifier/caching(in:)`` says so.
///
/// ```swift
/// let cache = VerifiedTokenCache(budget: 16 << 20)
/// let verifier = TokenVerifier(keys: keys, policy: policy).caching(in: cache)
/// ```
///
/// A hit says no more than that this token, byte for byte, bore a good signature by a key of the very set that is lent now. All of the
/// policy is judged anew at every hit, for the moment of the hit: dates, revoked ids, checks of your own. Nothing is remembered of what
/// was refused. When the key set is replaced by another, all that was verified with the old one is forgotten.
///
/// A token is kept at its second sight, least useful ones give way (SIEVE), and no thread waits for another. Decision 0013 has the reasons.
@safe
public final class VerifiedTokenCache: Sendable {
    /// What is kept of a token to know it by. Its header and its claims are kept either way.
    public enum Retention: Sendable {
        /// The token itself: fastest. Whoever reads the memory of the process can use the tokens in it.
        case tokens
        /// 256 bits over the token, under a secret of this cache (SHA-256): nothing of the signature is kept. A hit costs that digest.
        case digests
    }

    /// Bytes that everything may take together: entries, those that wait to be freed, and the table, which takes 2.3 KB at least.
    public let budget: Int
    /// Seconds since its signature was verified after which a token is verified anew.
    public let maximumAge: Int64
    private let identity: TokenIdentity
    private let table: CacheTable
    private let shards: [CacheShard]
    private let counters = CacheCounters()
    private let fixedBytes: Int
    /// Advances when everything is removed, so that a verification under way then keeps nothing.
    private let generation = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - budget: bytes that everything may take together. A token of 1 KB takes about 2.5 KB. One that takes more than about 1/16 of its
    ///     shard is not kept.
    ///   - retention: what a token is known by.
    ///   - maximumAge: seconds since its signature was verified after which a token is verified anew.
    ///   - shards: how many threads can keep tokens at one time; rounded up to a power of two, and fewer where the budget is small.
    ///     Looking needs none.
    public convenience init(budget: Int, retention: Retention = .tokens, maximumAge: Int64 = 300, shards: Int = 16) {
        self.init(budget: budget, retention: retention, maximumAge: maximumAge, shards: shards, hashMask: .max)
    }

    /// - Parameter hashMask: zero gives every token the same hash: only speed may suffer.
    package init(budget: Int, retention: Retention, maximumAge: Int64, shards: Int, hashMask: UInt64) {
        let budget = max(0, budget), bucketCount = Self.bucketCount(budget)
        let shardCount = min(Self.powerOfTwo(shards), max(1, Self.powerOfTwo(budget / Self.smallestShard / 2)), bucketCount)
        let slotCount = bucketCount * CacheTable.ways, slotsPerShard = slotCount / shardCount
        let table = CacheTable(bucketCount: bucketCount)
        let fixedBytes = slotCount * CacheShard.bytesPerSlot + CacheCounters.byteCount
        let shardBudget = max(0, budget - fixedBytes) / shardCount
        self.budget = budget
        self.maximumAge = maximumAge
        self.table = table
        self.fixedBytes = fixedBytes
        identity = TokenIdentity(retention, hashMask: hashMask)
        self.shards = (0..<shardCount).map { shard in
            CacheShard(table, slots: slotsPerShard * shard..<slotsPerShard * (shard + 1), budget: shardBudget)
        }
        register(self.shards)
    }

    deinit {
        unregister()
        for shard in shards { shard.removeAll() }
        unsafe counters.release()
        unsafe table.release()
    }

    /// A slot for each 512 bytes, where small tokens take a kilobyte and usual ones two: so few buckets are ever full. Never more than
    /// eight million slots.
    private static func bucketCount(_ budget: Int) -> Int { powerOfTwo(min(budget / 512 / CacheTable.ways, 1 << 20)) }
    private static let smallestShard = 65_536

    /// The least that is not below `number`.
    private static func powerOfTwo(_ number: Int) -> Int {
        var power = 1
        while power < min(number, 1 << 20) { power *= 2 }
        return power
    }

    // Looking and keeping

    /// What a verification asks by.
    struct Question {
        let key: CacheEntry.Key
        let now: Int64
        let generation: UInt64
    }

    /// How to ask for `token` under the policy and limits that `context` stands for, with the keys of the set that has this serial.
    func question(_ token: Span<UInt8>, context: UInt64, keySetSerial: UInt64, now: NumericDate) -> Question {
        let key = CacheEntry.Key(hash: identity.hash(token, context: context), context: context, keySetSerial: keySetSerial)
        return Question(key: key, now: now.seconds, generation: generation.load(ordering: .acquiring))
    }

    /// The claims of `token`, if its signature was verified under all that the question names, and not too long ago.
    func claims(of token: Span<UInt8>, _ question: Question) -> CachedClaims? {
        guard let reader = unsafe crcu_enter() else { return nil }
        defer { unsafe crcu_leave(reader) }
        let found = table.first(question.key.hash) { holds($0.facts, question) && identity.matches($0.identity, token) }
        counters.count(isHit: found != nil, record: UInt(bitPattern: reader))
        guard let found else { return nil }
        found.entry.noteUse()
        // SAFETY: loaded within the section, so it is not freed before the section ends.
        return CachedClaims(copying: found.entry)
    }

    /// Whether a verdict holds now, for the token it is of. One of the future does not: the clock was set back, and its age is unknown.
    @inline(__always)
    private func holds(_ facts: CacheEntry.Facts, _ question: Question) -> Bool {
        guard facts.key.context == question.key.context, facts.key.keySetSerial == question.key.keySetSerial else { return false }
        let (age, overflow) = question.now.subtractingReportingOverflow(facts.verifiedAt)
        return !overflow && age >= 0 && age < maximumAge
    }

    /// Keeps the claims of `token`, which were verified after `question` was asked.
    func keep(_ claims: borrowing Claims, of token: Span<UInt8>, _ question: Question) {
        guard maximumAge > 0, claims.keySetSerial != 0 else { return }
        // The set may have been replaced since it was asked for: the one that verified counts.
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

    // Removing and counting

    /// Forgets everything. What is verified at the same time is not kept either, unless its verification began later.
    public func removeAll() {
        generation.wrappingAdd(1, ordering: .acquiringAndReleasing)
        for shard in shards { shard.removeAll() }
    }

    /// What the cache has and did.
    public struct Statistics: Sendable, Hashable {
        /// Tokens that were found, whatever the policy said of them then. Threads that count at once may lose a count, as of ``misses``.
        public var hits: UInt64 = 0
        /// Tokens that were not.
        public var misses: UInt64 = 0
        /// Tokens that were kept.
        public var insertions: UInt64 = 0
        /// Tokens that gave way to others.
        public var evictions: UInt64 = 0
        /// Tokens that are here now. Those of a key set that was replaced are among them until something is kept under its successor.
        public var entries = 0
        /// Bytes in use, of everything that the budget bounds.
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
