internal import JWTCore
internal import TokenStatus

/// The accepted lists of one issuer, by their addresses. It never changes: another table takes its place.
@safe
final class ListTable: @unchecked Sendable {
    /// An accepted list and its end, in nanoseconds of the clock's elapsed time.
    struct Row {
        let uri: String
        let list: VerifiedStatusList
        let endsAt: Int64
        let use: ListUse
    }

    /// What a look-up needs of a row, without references to count.
    @unsafe
    private struct Entry {
        let list: Unmanaged<VerifiedStatusList>
        let use: Unmanaged<ListUse>
        let endsAt: Int64
    }

    private let index: NameIndex
    private let entries: [Entry]
    /// Owns what ``entries`` lend.
    private let rows: [Row]

    init(_ rows: [Row]) {
        self.rows = rows
        index = NameIndex(rows.map(\.uri))
        unsafe entries = rows.map {
            unsafe Entry(list: .passUnretained($0.list), use: .passUnretained($0.use), endsAt: $0.endsAt)
        }
    }

    /// What the list at `uri` says of the token at `place`; nil without a list that is valid at `now`.
    func finding(_ uri: JSONString, _ place: Int, at now: Int64) -> StatusFinding? {
        let row = index.first(uri)
        guard row >= 0 else { return nil }
        let entry = unsafe entries[row]
        guard unsafe now < entry.endsAt else { return nil }
        // SAFETY: `rows` retains both, and does not change.
        unsafe entry.use._withUnsafeGuaranteedRef { $0.note(now) }
        return unsafe StatusFinding(entry.list._withUnsafeGuaranteedRef { $0.status(at: place) })
    }
}
