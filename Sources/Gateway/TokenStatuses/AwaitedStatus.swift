internal import StatusListCache

/// The place of a token in a list that is not there yet.
struct AwaitedStatus: Sendable {
    /// Nil for a list that a host fetches. It knows when the fetch ends; and its gateway must not live on in the memory of a decision.
    private let lists: StatusLists?
    private let index: Int
    private let uri: String
    private let issuer: String

    /// - Parameters:
    ///   - index: `idx` of the token.
    ///   - uri: `uri` of the same token.
    ///   - issuer: `iss` of the same token.
    init(_ lists: StatusLists, index: Int, uri: String, issuer: String) {
        (self.lists, self.index, self.uri, self.issuer) = (lists, index, uri, issuer)
    }

    private init() { (lists, index, uri, issuer) = (nil, 0, "", "") }

    /// A list that a host fetches.
    static let byHost = Self()

    /// Waits until the fetch of the list has ended, at most for the wait budget of the lists' policy.
    func settle() async { _ = await lists?.settledVerdict(index: index, uri: uri, issuer: issuer) }
}
