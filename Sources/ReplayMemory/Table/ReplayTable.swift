public import JWTCore

/// The memory of one process: bounded, without locks, and never waiting.
///
/// It promises room for a number of live entries and takes 16 bytes for each. An entry is live until its end, rounded up to the next 16
/// seconds. In a table with more live entries than it promises, a use may be refused as `full`: a live entry is never forgotten to make
/// room, since its thing could then be used again.
///
/// An entry has 36 bits of the digest, and a use looks at up to 15 entries. So a first use is mistaken for a replay, and refused, with a
/// chance of at most 15 in 2³⁶ (one in 4.6 thousand million) in a full table. A replay is never mistaken for a first use.
///
/// Dates come from the caller. If they go back, what was used stays used. If they leap forward and back, entries that were forgotten
/// meanwhile are still refused: as `ended`.
@safe
public final class ReplayTable: ImmediateReplayMemory {
    // SAFETY: allocated in init, freed in deinit, when nobody uses the block.
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    private let block: ReplayBlock
    /// The live entries that it promises room for.
    public let entries: Int

    /// The most entries that a table can be made for: 16 GiB.
    public static let mostEntries = 1 << 30

    /// - Parameter entries: the live entries to have room for, from 1 to ``mostEntries``; others count as the nearest of these.
    public init(entries: Int) {
        self.entries = min(max(entries, 1), Self.mostEntries)
        let count = ReplayBlock.wordCount(entries: self.entries)
        unsafe memory = .allocate(byteCount: count * 8, alignment: 64)
        guard let block = unsafe ReplayBlock(memory, words: count, isNew: true) else { preconditionFailure("a table has a bucket") }
        self.block = block
    }

    deinit { unsafe memory.deallocate() }

    /// Uses `identifier`, as any memory does, without waiting.
    ///
    /// - Parameters:
    ///   - identifier: what is used.
    ///   - end: from this date on the caller refuses the thing for its age.
    ///   - now: the caller's date.
    /// - Returns: whether this is the first use.
    /// - Throws: ``ReplayMemoryError``: `full` or `ended`.
    public func useNow(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) throws(ReplayMemoryError) -> ReplayUse {
        switch block.use(identifier, until: end, now: now) {
        case .first: return .first
        case .replayed: return .replayed
        case .full: throw ReplayMemoryError(.full)
        case .ended: throw ReplayMemoryError(.ended)
        }
    }

    /// Counts the live entries, for metrics: reads the whole table.
    ///
    /// - Parameter now: the caller's date.
    public func count(at now: NumericDate) -> Int { block.count(now) }

    /// The memory of the table in bytes.
    public var bytes: Int { ReplayBlock.wordCount(entries: entries) * 8 }
}
