internal import CReadCopyUpdate
internal import Synchronization

/// A key as the kernels see it: its table of this moment, which may come, grow and go while verifications read it.
///
/// A verification loads one pointer; it writes nothing that another core reads once the table is full and marked as used.
@safe
package final class KernelKey: @unchecked Sendable {
    let material: KernelMaterial
    let tables: KeyTables
    private let current = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    /// About how often the key was used without a full table: cores that count at once may miss some.
    private let uses = Atomic<UInt32>(0)
    private let isRecentlyUsed = Atomic<Bool>(false)
    private static let manyUses: UInt32 = 4_096
    // SAFETY: these belong to `tables` and are touched under its lock alone.
    var residence: Int?
    var evictions = 0
    var isUnsuitable = false

    init(_ material: KernelMaterial, tables: KeyTables = .shared) {
        self.material = material
        self.tables = tables
        tables.loaded(self)
    }

    // Whoever reads the table holds the key, so nobody does.
    deinit {
        tables.forget(self)
        if let table = take() { unsafe table.free() }
    }

    /// Lends the table to `body`, if there is one of kernels that may judge now.
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

    /// The table, if there is one of kernels that may judge now, and notes the use. Within a read-side critical section alone, and good
    /// until its end.
    @unsafe
    @inline(__always)
    func loadTable(chance: UInt8 = 0) -> (KernelFamily, KeyTable)? {
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

    /// Counts a use that a full table would have served better, and asks for one when there have been enough: at powers of two, so that
    /// a key that cannot have one asks ever more rarely. Of a key that still has none after many uses one in 64 is counted, and stands for
    /// all of them: cores that use it share the count, and each write takes it from the others.
    private func noteUse(_ chance: UInt8) {
        let earlier = uses.load(ordering: .relaxed), isMany = earlier >= Self.manyUses
        guard !isMany || chance % 64 == 0 else { return }
        let count = earlier &+ (isMany ? 64 : 1)
        uses.store(count, ordering: .relaxed)
        if count & (count &- 1) == 0 { tables.used(self, times: Int(count)) }
    }

    // For tests

    /// The same key with tables of another budget.
    package convenience init?(_ key: VerificationKey, tables: KeyTables) {
        guard let material = key.facts.kernelMaterial else { return nil }
        self.init(material, tables: tables)
    }

    /// The table of this moment: whose it is and whether it is the full one.
    package var table: (family: KernelFamily, isFull: Bool)? {
        guard let reader = unsafe crcu_enter() else { return nil }
        defer { unsafe crcu_leave(reader) }
        guard let table = unsafe current.load(ordering: .acquiring).map({ unsafe KeyTable($0) }), let family = table.family else {
            return nil
        }
        return (family, table.isFull)
    }

    /// What the kernels say, if anything.
    package func verifies(_ algorithm: SignatureAlgorithm, message: Span<UInt8>, signature: Span<UInt8>) -> Bool? {
        verifies(algorithm.row, message: message, signature: signature)
    }

    // For KeyTables, under its lock

    /// The table in use, for whoever counts bytes.
    var tableBytes: Int { unsafe current.load(ordering: .relaxed).map { unsafe KeyTable($0).header.byteCount } ?? 0 }

    func has(_ family: KernelFamily, _ size: KeyTable.Size) -> Bool {
        guard let table = unsafe current.load(ordering: .relaxed).map({ unsafe KeyTable($0) }) else { return false }
        return table.family == family && (table.isFull || size == .small)
    }

    /// Puts `table` in use.
    ///
    /// - Returns: the one before, which readers may still have.
    func replaceTable(_ table: KeyTable?) -> KeyTable? {
        let previous = unsafe current.exchange(table?.start, ordering: .acquiringAndReleasing)
        uses.store(0, ordering: .relaxed)
        return unsafe previous.map { unsafe KeyTable($0) }
    }

    private func take() -> KeyTable? {
        unsafe current.exchange(nil, ordering: .acquiringAndReleasing).map { unsafe KeyTable($0) }
    }

    /// Whether it was used since it was last asked.
    func takeRecentUse() -> Bool { isRecentlyUsed.exchange(false, ordering: .relaxed) }
}
