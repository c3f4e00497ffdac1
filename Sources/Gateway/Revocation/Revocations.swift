public import JWTCore

/// The revocations in force: a list that is replaced as a whole, and entries that are added beside it. A change applies to every decision
/// that begins after it, also to tokens that were accepted before. Reading takes no lock and allocates nothing.
public final class Revocations: Sendable {
    /// Beside the list.
    public static let mostEntries = 1_000_000

    private let index: Published<RevocationIndex>
    private let limit: Int

    /// - Parameters:
    ///   - list: the list in force at first.
    ///   - limit: of the entries beside the list. One of 40 bytes takes about 110 bytes, and twice as much while the memory grows.
    public init(_ list: RevocationList = RevocationList(), limit: Int = Revocations.mostEntries) {
        index = Published(RevocationIndex(list))
        self.limit = limit
    }

    /// As ``Published/keepAcrossForks()``.
    package func keepAcrossForks() { index.keepAcrossForks() }

    package func leaveForks() { index.leaveForks() }

    /// Whether an entry applies to the token. Where memory is exhausted every token is revoked.
    func revoke(_ claims: borrowing Claims) -> Bool { index.withCurrent { $0.revokes(claims) } ?? true }

    // The list

    /// The list in force.
    public var list: RevocationList { index.current.list }

    /// Replaces the whole list. What was added beside it stays.
    public func replace(_ list: RevocationList) { index.replace { $0.replacing(list) } }

    // Beside the list

    /// What was added, in order.
    public var signalled: [RevocationList.Entry] { index.update { (nil, $0.signalled) } }

    /// How many entries were added and have not been dropped.
    public var signalledCount: Int { index.update { (nil, $0.signalledCount) } }

    /// Adds entries beside the list, in constant time on average. An entry that is there gets the later `until`; several dates for one subject,
    /// or for all tokens, become the latest.
    ///
    /// - Returns: false if an entry found no place within the limit. It is not in force, so its source must not be told otherwise.
    @discardableResult
    public func add(_ entries: [RevocationList.Entry]) -> Bool { index.update { [limit] in $0.add(entries, limit: limit) } }

    /// Drops the entries, also those of the list, that ended before `now`. Takes time for each entry if one has ended: once a minute is enough.
    public func removeExpired(at now: NumericDate) { index.update { ($0.dropping(before: now), ()) } }

    /// How many entries were copied so far to make room for others.
    package var copies: Int { index.current.copies }

    /// The memory of the entries beside the list. While it grows, there is the former one too, of half the size.
    package var bytes: Int { index.update { (nil, $0.bytes) } }
}
