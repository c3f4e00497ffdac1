internal import JWKSCache
internal import JWTCore
internal import Locks

/// Fetches the issuer's documents and remembers the signature algorithms that its metadata lists.
final class DiscoveredAlgorithms: DocumentTransport {
    private let issuer: String
    /// The issuer's scheme, host and port, with a trailing slash.
    private let origin: String
    private let addresses: Set<String>
    private let transport: any DocumentTransport
    private let serverClock: CorrectedClock
    private let known = Locked(Known())

    private struct Known {
        /// The listed names; nil if there is no list.
        var names: [String]?
        /// Whether this process has read the metadata.
        var isFetched = false
        /// The list in the store; the outer nil means that the store was not read.
        var stored: [String]??
    }

    /// - Parameter serverClock: gets the date of the issuer's answers.
    init(_ issuer: String, over transport: any DocumentTransport, _ serverClock: CorrectedClock) {
        self.issuer = issuer
        origin = issuer.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/") + "/"
        self.transport = transport
        self.serverClock = serverClock
        addresses = Set(IssuerMetadata.addresses(of: issuer) ?? [])
    }

    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let response = try await transport.fetch(request)
        // Only the issuer's own answers are evidence of its clock.
        if request.url.hasPrefix(origin) { serverClock.note(CacheDirectives(response)) }
        if response.status == 200, addresses.contains(request.url), let metadata = try? IssuerMetadata(response.body, of: issuer) {
            known.withLock { ($0.names, $0.isFetched) = (metadata.algorithms, true) }
        }
        return response
    }

    /// The asymmetric algorithms of `algorithms` that the metadata lists, if it has a list.
    func allowed(of algorithms: AlgorithmSet) -> AlgorithmSet {
        let asymmetric = algorithms.intersection(.asymmetric)
        guard let names = known.withLock({ $0.names }) else { return asymmetric }
        return asymmetric.intersection(AlgorithmSet(names.compactMap { SignatureAlgorithm(name: $0) }))
    }

    /// Uses the list that an earlier process stored, until this one has read the metadata. Stored keys may verify a token before that.
    func restore(from store: any SessionStore) async {
        guard known.withLock({ $0.stored == nil }), let contents = try? await store.contents() else { return }
        known.withLock { known in
            known.stored = .some(contents.algorithms?[issuer])
            if !known.isFetched { known.names = contents.algorithms?[issuer] }
        }
    }

    /// Stores a list that differs from the stored one. After a failure the next call tries again.
    func save(to store: any SessionStore) async {
        let (names, isDue) = known.withLock { ($0.names, $0.isFetched && $0.stored != .some($0.names)) }
        guard isDue else { return }
        let isSaved: Void? = try? await store.exclusively { [issuer] contents in contents.algorithms = names.map { [issuer: $0] } }
        if isSaved != nil { known.withLock { $0.stored = .some(names) } }
    }
}
