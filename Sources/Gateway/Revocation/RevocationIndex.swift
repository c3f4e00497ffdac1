internal import JWTCore

/// The revocations in force: a list that is replaced as a whole, and what was added beside it.
final class RevocationIndex: Sendable {
    let list: RevocationList
    private let listed: RevocationTable
    private let added: RevocationTable
    /// How many entries were copied so far for room.
    let copies: Int

    convenience init(_ list: RevocationList) { self.init(list, Self.table(list), RevocationTable(), copies: 0) }

    private init(_ list: RevocationList, _ listed: RevocationTable, _ added: RevocationTable, copies: Int) {
        self.list = list
        self.listed = listed
        self.added = added
        self.copies = copies
    }

    private static func table(_ list: RevocationList) -> RevocationTable { RevocationTable().adding(list.entries).table }

    /// Whether an entry applies to the token. Counts no reference.
    func revokes(_ claims: borrowing Claims) -> Bool {
        // SAFETY: this object keeps the tables.
        if unsafe Unmanaged.passUnretained(listed)._withUnsafeGuaranteedRef({ $0.revokes(claims) }) { return true }
        return unsafe Unmanaged.passUnretained(added)._withUnsafeGuaranteedRef { $0.revokes(claims) }
    }

    // For one writer at a time

    var signalled: [RevocationList.Entry] { added.entries }
    var signalledCount: Int { added.count }
    /// Of what was added.
    var bytes: Int { added.bytes }

    /// The same additions beside another list.
    func replacing(_ list: RevocationList) -> RevocationIndex { RevocationIndex(list, Self.table(list), added, copies: copies) }

    /// Adds entries to this index, or, where it has no room, to the one that it returns.
    ///
    /// - Parameter limit: of entries; one that would exceed it is left out.
    /// - Returns: the index with more room, and whether all entries are in force.
    func add(_ entries: [RevocationList.Entry], limit: Int) -> (next: RevocationIndex?, result: Bool) {
        let (table, more, isComplete) = added.adding(entries, limit: limit)
        return (table === added ? nil : RevocationIndex(list, listed, table, copies: copies + more), isComplete)
    }

    /// An index without the entries that ended before `date`; nil if there are none.
    func dropping(before date: NumericDate) -> RevocationIndex? {
        let rest = list.entries.filter { ($0.until ?? .never) >= date }, hasEnded = rest.count < list.entries.count
        guard hasEnded || added.firstEnd < date else { return nil }
        let list = hasEnded ? RevocationList(rest) : list
        return RevocationIndex(
            list, hasEnded ? Self.table(list) : listed, added.firstEnd < date ? added.copy(droppingBefore: date) : added, copies: copies)
    }
}
