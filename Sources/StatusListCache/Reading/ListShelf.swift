internal import CReadCopyUpdate
internal import JWTCore
internal import Synchronization

/// Gives readers the current table of one issuer. Readers write nothing that another core reads; a writer never waits for them
/// (Docs/Decisions/0010).
@safe
final class ListShelf: @unchecked Sendable {
    private let current: Atomic<UnsafeRawPointer>
    // SAFETY: accessed only by writers, one at a time.
    private var retired: [(grace: UInt64, table: Unmanaged<ListTable>)] = unsafe []

    init() { unsafe current = Atomic(UnsafeRawPointer(Unmanaged.passRetained(ListTable([])).toOpaque())) }

    deinit {
        // SAFETY: a reader retains this shelf, so there are no readers now.
        unsafe Unmanaged<ListTable>.fromOpaque(current.load(ordering: .acquiring)).release()
        while let entry = unsafe retired.popLast() { unsafe entry.table.release() }
    }

    /// What the list at `uri` says of the token at `place`; nil without a list that is valid at `now`, or where memory is exhausted.
    func finding(_ uri: JSONString, _ place: Int, at now: Int64) -> StatusFinding? {
        guard let reader = unsafe crcu_enter() else { return nil }
        defer { unsafe crcu_leave(reader) }
        // SAFETY: loaded within the section, so it is not released before the section ends.
        return unsafe Unmanaged<ListTable>.fromOpaque(current.load(ordering: .acquiring)).lend { $0.finding(uri, place, at: now) }
    }

    /// Replaces the table. For one writer at a time.
    func replace(by table: ListTable) {
        let next = unsafe Unmanaged.passRetained(table)
        let previous = unsafe current.exchange(UnsafeRawPointer(next.toOpaque()), ordering: .acquiringAndReleasing)
        unsafe retired.append((crcu_grace_begin(), Unmanaged<ListTable>.fromOpaque(previous)))
        reclaim()
    }

    /// Releases the tables without readers. Never waits. For one writer at a time.
    func reclaim() {
        unsafe retired.removeAll { entry in
            guard crcu_grace_is_over(unsafe entry.grace) == 1 else { return false }
            unsafe entry.table.release()
            return true
        }
    }

    /// Whether any table waits to be released. For writers.
    var hasRetired: Bool { unsafe !retired.isEmpty }
}
