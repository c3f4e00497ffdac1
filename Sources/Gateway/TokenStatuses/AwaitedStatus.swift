internal import StatusListCache

/// The place of a token in a list that is not there yet, copied from the token.
struct AwaitedStatus: Sendable {
    let statuses: TokenStatuses
    let index: Int
    let uri: String
    let issuer: String

    /// Waits until the fetch of the list has ended, at most for the wait budget of the lists' policy.
    func settle() async { _ = await statuses.lists.settledVerdict(index: index, uri: uri, issuer: issuer) }
}
