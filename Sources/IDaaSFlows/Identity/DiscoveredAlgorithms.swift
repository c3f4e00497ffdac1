internal import JWKSCache
internal import JWTCore

/// Reaches the issuer's documents, and remembers which algorithms its metadata has its id_tokens signed by.
final class DiscoveredAlgorithms: DocumentTransport {
    private let issuer: String
    private let addresses: Set<String>
    private let transport: any DocumentTransport
    private let listed = Locked(AlgorithmSet?.none)

    init(_ issuer: String, over transport: any DocumentTransport) {
        self.issuer = issuer
        self.transport = transport
        addresses = Set(IssuerMetadata.addresses(of: issuer) ?? [])
    }

    func fetch(_ request: DocumentRequest) async throws(FetchFailure) -> DocumentResponse {
        let response = try await transport.fetch(request)
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
