internal import StatusListCache

/// What is not known yet about a token, and is being fetched: its place in a list, or the answer of its authorization server.
struct AwaitedStatus: Sendable {
    private let source: Source

    private enum Source: Sendable {
        case list(StatusLists, index: Int, uri: String, issuer: String)
        case introspection(TokenIntrospection, ShownToken)
        /// It knows when the fetch ends; and its gateway must not live on in the memory of a decision.
        case host
    }

    /// - Parameters:
    ///   - index: `idx` of the token.
    ///   - uri: `uri` of the same token.
    ///   - issuer: `iss` of the same token.
    init(_ lists: StatusLists, index: Int, uri: String, issuer: String) {
        source = .list(lists, index: index, uri: uri, issuer: issuer)
    }

    /// An answer about a token, whose request is under way.
    init(_ introspection: TokenIntrospection, _ token: ShownToken) { source = .introspection(introspection, token) }

    private init(_ source: Source) { self.source = source }

    /// A list that a host fetches.
    static let byHost = Self(.host)

    /// Whether it is an answer about a token. It ends with an answer, or with a failure that is kept for a while.
    var isIntrospection: Bool { if case .introspection = source { true } else { false } }

    /// Waits until the fetch has ended: at most for the wait budget of the lists' policy, or for the time-out of the request.
    func settle() async {
        switch source {
        case .list(let lists, let index, let uri, let issuer): _ = await lists.settledVerdict(index: index, uri: uri, issuer: issuer)
        case .introspection(let introspection, let token): await introspection.settle(token)
        case .host: break
        }
    }
}
