internal import CReadCopyUpdate
internal import Synchronization

/// A key's place in the tables, with its current table. The table may appear, grow and be removed while verifications read it.
///
/// A verification loads one pointer. Once the table is full and marked as used, it writes nothing that another core reads.
@safe
final class KeySlot: @unchecked Sendable {
    let material: KernelMaterial
    // SAFETY: used only by verifications. They retain the key, and the key retains its tables.
    private unowned(unsafe) let tables: KeyTables
    private let current = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    /// The approximate number of uses without a full table: cores that count at once may lose some.
    private let uses = Atomic<UInt32>(0)
    private let isRecentlyUsed = Atomic<Bool>(false)
    private static let manyUses: UInt32 = 4_096
    /// The number of uses after which a full table is requested; the highest number if the kernels refuse the key.
    private let dueAfter = Atomic(UInt32(KeyTables.fullAfter))
    private let isRequested = Atomic(false)
    // SAFETY: these belong to `tables` and are accessed only under its lock.
    // The positions in the lists of all slots and of slots with a table; without a place, the key has left.
    var place: Int?
    var residence: Int?
    // SAFETY: belongs to `DepartedSlots`: written before the slot is in the list, and read by the thread that took the list.
    var nextDeparted: UnsafeMutableRawPointer?

    init(_ material: KernelMaterial, tables: KeyTables) {
        self.material = material
        unsafe self.tables = tables
    }

    deinit { freeTable() }

    /// Lends the table to `body`, if there is one for active kernels.
    ///
    /// - Parameter chance: a byte that differs from token to token.
    @inline(__always)
    func withTable<Result>(chance: UInt8, _ body: (KernelFamily, KeyTable) -> Result?) -> Result? {
        guard let reader = unsafe crcu_enter() else { return nil }
        defer { unsafe crcu_leave(reader) }
        // SAFETY: loaded within the section, so it is not freed before the section ends.
        guard let (family, table) = unsafe loadTable(chance: chance) else { return nil }
        return body(family, table)
    }

    /// The table, if there is one for active kernels; counts the use. Call it only within a read-side critical section; the table is valid
    /// until the section ends.
    @unsafe
    @inline(__always)
    func loadTable(chance: UInt8 = 0) -> (KernelFamily, KeyTable)? {
        // SAFETY: `replaceTable` stored the start of a table there, or nil; the caller's section keeps it valid.
        guard let table = unsafe current.load(ordering: .acquiring).map({ unsafe KeyTable($0) }), let family = table.family,
            Engine.isActive(family)
        else {
            noteUse(chance)
            return nil
        }
        if !table.isFull {
            noteUse(chance)
        } else if !isRecentlyUsed.load(ordering: .relaxed) {
            isRecentlyUsed.store(true, ordering: .relaxed)
        }
        return (family, table)
    }

    /// Counts a use for which a full table would have been better, and requests one after enough uses: at powers of two, so that a key that
    /// cannot have one asks ever more rarely. If a key has no full table after many uses, only one use in 64 is counted, and counts as 64:
    /// cores that use the key share the counter, and each write takes its cache line from the others.
    private func noteUse(_ chance: UInt8) {
        let earlier = uses.load(ordering: .relaxed), isMany = earlier >= Self.manyUses
        guard !isMany || chance % 64 == 0 else { return }
        let count = earlier &+ (isMany ? 64 : 1)
        uses.store(count, ordering: .relaxed)
        guard count & (count &- 1) == 0, count >= dueAfter.load(ordering: .relaxed) else { return }
        isRequested.store(true, ordering: .releasing)
        unsafe tables.callBuilder()
    }

    /// Returns whether a full table was requested since the last call, and clears the request.
    func takeRequest() -> Bool { isRequested.load(ordering: .relaxed) && isRequested.exchange(false, ordering: .acquiring) }

    /// The current table's family, and whether the table is full-size. For tests.
    var table: (family: KernelFamily, isFull: Bool)? {
        guard let reader = unsafe crcu_enter() else { return nil }
        defer { unsafe crcu_leave(reader) }
        // SAFETY: loaded within the section.
        guard let table = unsafe current.load(ordering: .acquiring).map({ unsafe KeyTable($0) }), let family = table.family else {
            return nil
        }
        return (family, table.isFull)
    }

    // For KeyTables, under its lock

    /// Whether the kernels refused the key.
    var isUnsuitable: Bool {
        get { dueAfter.load(ordering: .relaxed) == .max }
        set { dueAfter.store(newValue ? .max : UInt32(KeyTables.fullAfter), ordering: .relaxed) }
    }

    /// Doubles the number of uses before the key's next full table.
    func noteEviction() {
        let due = dueAfter.load(ordering: .relaxed)
        if due < 1 << 20 { dueAfter.store(2 * due, ordering: .relaxed) }
    }

    // SAFETY: here and below, tables are replaced and freed under the same lock.
    /// Bytes of the table in use.
    var tableBytes: Int { unsafe current.load(ordering: .relaxed).map { unsafe KeyTable($0).header.byteCount } ?? 0 }

    func has(_ family: KernelFamily, _ size: KeyTable.Size) -> Bool {
        guard let table = unsafe current.load(ordering: .relaxed).map({ unsafe KeyTable($0) }) else { return false }
        return table.family == family && (table.isFull || size == .small)
    }

    /// Installs `table`.
    ///
    /// - Returns: the previous one, which may still have readers.
    func replaceTable(_ table: KeyTable?) -> KeyTable? {
        let previous = unsafe current.exchange(table?.start, ordering: .acquiringAndReleasing)
        uses.store(0, ordering: .relaxed)
        return unsafe previous.map { unsafe KeyTable($0) }
    }

    /// Frees the table. Call it only when the key is gone: a reader of the table retains the key, so there are no readers then.
    func freeTable() {
        guard let table = unsafe current.exchange(nil, ordering: .acquiringAndReleasing) else { return }
        unsafe KeyTable(table).free()
    }

    /// Returns whether the key was used since the last call, and clears the mark.
    func takeRecentUse() -> Bool { isRecentlyUsed.exchange(false, ordering: .relaxed) }
}
