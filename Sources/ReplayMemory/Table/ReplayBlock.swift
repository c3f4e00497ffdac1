package import JWTCore
internal import Synchronization

/// A memory of uses in a block of 64-bit words, which threads and processes may share: it has no pointer, no lock, and every step is one
/// atomic operation on one word. A process that is killed at any instruction leaves nothing that another one waits for.
///
/// A bucket is a cache line of eight words. Its first word is the *front*, the newest entry of the bucket. An entry comes in only by a
/// compare-and-exchange of the front, and only after the entry that was there has been copied behind it: into another word of the bucket or
/// of a second one. So whoever has read the front, has found no entry of its identifier, and then exchanges the front
/// for its own entry, is the first: no other entry of this bucket has come in between.
///
/// A live entry is never overwritten. Before an ended one is, the block's *watermark* rises to its end, and no use with an end up to the
/// watermark is admitted: what was forgotten cannot be told from what never came. This holds whatever clocks do, since the callers' dates
/// only choose which entries are overwritten.
@safe
package struct ReplayBlock: @unchecked Sendable {
    // SAFETY: the owner of the block keeps it as long as this is used. All words are initialised; every access is atomic and within them.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    let bucketCount: Int

    static let ways = 8
    /// For what stands before the buckets.
    static let headWords = 8
    /// Half of a bucket's words are room: with two buckets to choose from, none is full before more than the promised entries are there.
    private static let promised = 4
    private static let watermark = 2
    private static let start = 3
    /// "assayRM", and the version of the layout.
    private static let magic: UInt64 = 0x6173_7361_7952_4d01

    package enum Outcome: Equatable {
        case first, replayed, full, ended
    }

    /// The words of a block for so many live entries.
    package static func wordCount(entries: Int) -> Int { headWords + max(1, (entries + promised - 1) / promised) * ways }

    /// Takes over a block.
    ///
    /// - Parameters:
    ///   - start: of the block, at a multiple of 64 bytes. The caller keeps it.
    ///   - count: words of the block.
    ///   - isNew: makes all of it empty. Otherwise the block must have been made by this layout, with this size.
    ///   - now: the date, which a new block keeps as its ``start``.
    /// - Returns: nil for a block that is too small, or that another layout has made.
    @unsafe
    package init?(_ start: UnsafeMutableRawPointer, words count: Int, isNew: Bool, now: NumericDate = NumericDate(seconds: 0)) {
        bucketCount = (count - Self.headWords) / Self.ways
        guard bucketCount > 0 else { return nil }
        let used = Self.headWords + bucketCount * Self.ways
        unsafe words = start.bindMemory(to: Atomic<UInt64>.self, capacity: used)
        guard isNew else {
            let (magic, buckets) = unsafe (words[0].load(ordering: .acquiring), words[1].load(ordering: .relaxed))
            guard magic == Self.magic, buckets == UInt64(bucketCount) else { return nil }
            return
        }
        for place in 0..<used { unsafe (words + place).initialize(to: Atomic(0)) }
        unsafe words[1].store(UInt64(bucketCount), ordering: .relaxed)
        unsafe words[Self.start].store(UInt64(clamping: now.seconds) + (now.nanoseconds > 0 ? 1 : 0), ordering: .relaxed)
        unsafe words[0].store(Self.magic, ordering: .releasing)
    }

    /// The first whole second since it was made empty.
    package var start: NumericDate { NumericDate(seconds: Int64(clamping: unsafe words[Self.start].load(ordering: .relaxed))) }

    /// The live entries that there is room for.
    package var entries: Int { bucketCount * Self.promised }

    package func use(_ identifier: ReplayIdentifier, until end: NumericDate, now date: NumericDate) -> Outcome {
        let step = ReplayEntry.step(endingAt: end), now = ReplayEntry.step(of: date)
        guard end > date, step > now else { return .ended }
        let entry = ReplayEntry(identifier, until: step), bucket = bucket(of: identifier.first)
        // Each round that changes nothing here is one in which another use came in.
        while true {
            let front = load(bucket, 0)
            if isKnown(entry, front, bucket, now) { return .replayed }
            // After the search: whoever overwrote an entry that it would have found has raised the watermark before.
            guard step > watermark else { return .ended }
            switch makeRoom(for: front, bucket, now) {
            case .ready: if exchange(bucket, 0, front, entry) { return .first }
            case .taken: continue
            case .missing: return .full
            }
        }
    }

    /// Whether a live entry has the tag of `entry`.
    private func isKnown(_ entry: ReplayEntry, _ front: ReplayEntry, _ bucket: Int, _ now: UInt64) -> Bool {
        front.tag == entry.tag && front.isLive(now) || holds(entry.tag, bucket, now) || holds(entry.tag, second(bucket, entry), now)
    }

    /// Whether a live entry behind the front of a bucket has this tag.
    private func holds(_ tag: UInt64, _ bucket: Int, _ now: UInt64) -> Bool {
        for way in 1..<Self.ways {
            let other = load(bucket, way)
            if other.tag == tag, other.isLive(now) { return true }
        }
        return false
    }

    private enum Room {
        /// The front may be exchanged.
        case ready
        /// Another use took it.
        case taken
        case missing
    }

    /// Copies the front behind it, unless it has ended or is there already.
    private func makeRoom(for front: ReplayEntry, _ bucket: Int, _ now: UInt64) -> Room {
        guard front.isLive(now) else {
            raiseWatermark(to: front.end)
            return .ready
        }
        let other = second(bucket, front), near = room(front, bucket, now), far = room(front, other, now)
        guard !near.isStored, !far.isStored else { return .ready }
        let (bucket, room) = near.count >= far.count ? (bucket, near) : (other, far)
        guard room.count > 0 else { return .missing }
        raiseWatermark(to: room.old.end)
        return exchange(bucket, room.way, room.old, front) ? .ready : .taken
    }

    /// The words behind the front of a bucket that have no live entry: their number, the first one with its content, and whether `entry` is
    /// in the bucket already.
    private func room(_ entry: ReplayEntry, _ bucket: Int, _ now: UInt64) -> (count: Int, way: Int, old: ReplayEntry, isStored: Bool) {
        var count = 0, first = 0, old = ReplayEntry.none, isStored = false
        for way in 1..<Self.ways {
            let other = load(bucket, way)
            if other == entry { isStored = true }
            guard !other.isLive(now) else { continue }
            if count == 0 { (first, old) = (way, other) }
            count += 1
        }
        return (count, first, old, isStored)
    }

    /// Live entries, for metrics. One that is being copied may count twice.
    package func count(_ date: NumericDate) -> Int {
        let now = ReplayEntry.step(of: date)
        return (0..<bucketCount * Self.ways).count { load($0 / Self.ways, $0 % Self.ways).isLive(now) }
    }

    // Words

    /// The upper half of a product spreads over any number of buckets.
    private func bucket(of hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(bucketCount)).high) }

    /// The first bucket and the tag name the second one: whoever copies an entry does not have its identifier. The tag alone would bring
    /// together all entries of one tag, and the chance of a mistake would grow with the table.
    private func second(_ first: Int, _ entry: ReplayEntry) -> Int {
        bucket(of: (entry.tag &+ UInt64(first) &* 0xd1b5_4a32_d192_ed03) &* 0x9e37_79b9_7f4a_7c15)
    }

    private func load(_ bucket: Int, _ way: Int) -> ReplayEntry {
        ReplayEntry(word: unsafe words[place(bucket, way)].load(ordering: .acquiring))
    }

    private func exchange(_ bucket: Int, _ way: Int, _ old: ReplayEntry, _ new: ReplayEntry) -> Bool {
        unsafe words[place(bucket, way)].compareExchange(
            expected: old.word, desired: new.word, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring
        ).exchanged
    }

    private func place(_ bucket: Int, _ way: Int) -> Int { Self.headWords + bucket * Self.ways + way }

    private var watermark: UInt64 { unsafe words[Self.watermark].load(ordering: .acquiring) }

    private func raiseWatermark(to end: UInt64) {
        // Steps are long: nearly always it is high enough.
        guard watermark < end else { return }
        unsafe words[Self.watermark].max(end, ordering: .acquiringAndReleasing)
    }
}
