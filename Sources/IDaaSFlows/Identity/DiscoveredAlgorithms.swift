internal import JWKSCache
internal import JWTCore

/// Reaches the issuer's documents, and remembers which algorithms its metadata has its id_tokens signed by.
final class DiscoveredAlgorithms: DocumentTransport {
    private let issuer: String
    /// Scheme, host and port of the issuer, with the slash behind them.
    private let origin: String
    private let addresses: Set<String>
    private let transport: any DocumentTransport
    private let serverClock: CorrectedClock
    private let listed = Locked(AlgorithmSet?.none)

    /// - Parameter serverClock: learns the date from the issuer's answers.
    init(_ issuer: String, over transport: any DocumentTransport, _ serverClock: CorrectedClock) {
        self.issuer = issuer
        origin = issuer.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/") + "/"
        self.transport = transport
        self.serverClock = serverClock
        addresses = Set(IssuerMetadata.addresses(of: issuer) ?? [])
    }

    func fetch(_ request: DocumentRequest) async throws(FetchFailure) -> DocumentResponse {
        let response = try await transport.fetch(request)
        // Somebody else's clock is not to be taken for the issuer's.
        if request.url.hasPrefix(origin) { serverClock.note(CacheDirectives(response)) }
        if response.status == 200, addresses.contains(request.url), let metadata = try? IssuerMetadata(response.body, of: issuer) {
            let algorithms = metadata.algorithms.map { AlgorithmSet($0.compactMap { SignatureAlgorithm(name: $0) }) }
            listed.withLock { $0 = algorithms }
        }
        return response
    }

    /// Those of `algorithms` that are asymmetric and, where there is a list, in it.
    func allowed(of algorithms: AlgorithmSet) -> AlgorithmSet {
        let asymmetric = algorithms.intersection(.asymmetric)
        return listed.withLock { $0 }.map { asymmetric.intersection($0) } ?? asymmetric
    }
}
