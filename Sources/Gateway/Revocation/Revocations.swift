internal import JWTCore

/// The revocation list in force. A replacement applies to every decision that begins after it, also to tokens that were accepted before.
/// Reading takes no lock and allocates nothing.
public final class Revocations: Sendable {
    private let index: Published<RevocationIndex>

    public init(_ list: RevocationList = RevocationList()) { index = Published(RevocationIndex(list)) }

    /// As ``Published/keepAcrossForks()``.
    package func keepAcrossForks() { index.keepAcrossForks() }

    package func leaveForks() { index.leaveForks() }

    /// The list in force.
    public var list: RevocationList { index.current.list }

    /// Replaces the whole list.
    public func replace(_ list: RevocationList) {
        let next = RevocationIndex(list)
        index.replace { _ in next }
    }

    /// Whether an entry applies to the token. Where memory is exhausted every token is revoked.
    func revoke(_ claims: borrowing Claims) -> Bool { index.withCurrent { $0.revokes(claims) } ?? true }
}
