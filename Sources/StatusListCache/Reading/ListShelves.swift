internal import JWTCore

/// What readers see of the lists: the accepted ones of each issuer, also where a host fetches them. A look-up takes no lock, allocates
/// nothing and counts no reference.
@safe
struct ListShelves: @unchecked Sendable {
    private let shelves: [ListShelf]
    // SAFETY: `shelves` retains every shelf of `lent`, and does not change.
    /// ``shelves``, lent without reference counting.
    private let lent: [Unmanaged<ListShelf>]
    private let names: IssuerNames

    init(_ issuers: [StatusListIssuer]) {
        shelves = issuers.map { _ in ListShelf() }
        unsafe lent = shelves.map { unsafe .passUnretained($0) }
        names = IssuerNames(issuers.map(\.issuer))
    }

    var count: Int { shelves.count }

    /// The place of `issuer`, or -1.
    @inline(__always)
    func place(of issuer: borrowing JSONString) -> Int { names.place(of: issuer) }

    /// The same for a `String`; nil if the issuer is not in the map.
    func place(of issuer: String) -> Int? {
        let place = names.place(of: JSONString(issuer.utf8.span, isEscaped: false))
        return place >= 0 ? place : nil
    }

    /// What the list at `uri` of the issuer at `place` says of the token at `index`; nil without a list that is valid at `now`.
    @inline(__always)
    func finding(_ place: Int, _ uri: JSONString, _ index: Int, at now: Int64) -> StatusFinding? {
        unsafe lent[place].lend { $0.finding(uri, index, at: now) }
    }

    // For one writer at a time

    func replace(_ changes: [(issuer: Int, rows: [ListTable.Row])]) {
        for (place, rows) in changes { shelves[place].replace(by: ListTable(rows)) }
    }

    /// Releases the tables without readers. Never waits.
    func reclaim() { for shelf in shelves where shelf.hasRetired { shelf.reclaim() } }

    /// Whether any table waits to be released.
    var hasRetired: Bool { shelves.contains(where: \.hasRetired) }
}
