internal import CJWTKernels
internal import Synchronization

/// Finds entries: buckets of eight slots. Each bucket also has eight tag bytes, one from each entry's hash, compared in one operation.
///
/// Readers only load and compare, in a read-side critical section; they write nothing. Writers hold the lock of the slot's shard.
@safe
struct CacheTable: @unchecked Sendable {
    // SAFETY: allocated and initialised here; the cache that owns it frees it through `release`; readers retain that cache.
    private let tags: UnsafeMutablePointer<Atomic<UInt64>>
    private let slots: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>
    let bucketCount: Int

    static let ways = 8
    static let bytesPerSlot = MemoryLayout<UInt>.stride + 1

    /// - Parameter bucketCount: a power of two.
    init(bucketCount: Int) {
        self.bucketCount = bucketCount
        unsafe tags = .allocate(capacity: bucketCount)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bucketCount * 64, alignment: 64)
        unsafe slots = memory.bindMemory(to: Atomic<UnsafeMutableRawPointer?>.self, capacity: bucketCount * Self.ways)
        for bucket in 0..<bucketCount { unsafe (tags + bucket).initialize(to: Atomic(0)) }
        for slot in 0..<(bucketCount * Self.ways) { unsafe (slots + slot).initialize(to: Atomic(nil)) }
    }

    /// Frees the memory of the table, not of the entries.
    @unsafe
    func release() {
        unsafe tags.deallocate()
        unsafe UnsafeMutableRawPointer(slots).deallocate()
    }

    func bucket(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (bucketCount - 1) }

    /// The first entry in the bucket of `hash` that has this hash and satisfies `isIt`, and its slot.
    ///
    /// - Parameter byteCount: about how many bytes of the entry will be read. They are loaded side by side, not one after another.
    @inline(__always)
    func first(_ hash: UInt64, reading byteCount: Int = 0, where isIt: (CacheEntry) -> Bool) -> (slot: Int, entry: CacheEntry)? {
        let bucket = bucket(of: hash)
        // The slots arrive while the tags are waited for.
        unsafe cjwt_prefetch(slots + bucket * Self.ways, 1)
        let tags = unsafe tags[bucket].load(ordering: .acquiring)
        var candidates = Self.candidates(tags, Self.tag(hash))
        while candidates != 0 {
            let slot = bucket * Self.ways + candidates.trailingZeroBitCount / 8
            candidates &= candidates &- 1
            guard let entry = entry(at: slot) else { continue }
            unsafe cjwt_prefetch(entry.start, byteCount)
            if entry.key.hash == hash, isIt(entry) { return (slot, entry) }
        }
        return nil
    }

    /// The entry in a slot.
    @inline(__always)
    func entry(at slot: Int) -> CacheEntry? { unsafe slots[slot].load(ordering: .acquiring).map { unsafe CacheEntry($0) } }

    // Callers of the methods below hold the lock of the slot's shard.

    /// An empty slot of the bucket of `hash`.
    func emptySlot(for hash: UInt64) -> Int? { slots(for: hash).first { entry(at: $0) == nil } }

    /// The slots of the bucket of `hash`.
    func slots(for hash: UInt64) -> Range<Int> {
        let first = bucket(of: hash) * Self.ways
        return first..<first + Self.ways
    }

    /// Stores an entry in an empty slot.
    func fill(_ slot: Int, with entry: CacheEntry) {
        unsafe slots[slot].store(entry.start, ordering: .releasing)
        setTag(slot, Self.tag(entry.key.hash))
    }

    /// Empties a slot. Its entry may still have readers.
    func empty(_ slot: Int) {
        setTag(slot, 0)
        unsafe slots[slot].store(nil, ordering: .releasing)
    }

    private func setTag(_ slot: Int, _ tag: UInt64) {
        let (bucket, shift) = (slot / Self.ways, UInt64(slot % Self.ways * 8))
        let others = unsafe tags[bucket].load(ordering: .relaxed) & ~(0xff << shift)
        unsafe tags[bucket].store(others | tag << shift, ordering: .releasing)
    }

    /// Zero marks an empty slot.
    private static func tag(_ hash: UInt64) -> UInt64 { max(1, hash & 0xff) }

    /// Sets the highest bit of each byte of `tags` that equals `tag`. Bytes above a match may be false positives.
    private static func candidates(_ tags: UInt64, _ tag: UInt64) -> UInt64 {
        let differences = tags ^ tag &* 0x0101_0101_0101_0101
        return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
    }
}
