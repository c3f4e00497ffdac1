internal import HTTPEdge
internal import HTTPTypes

/// For operators: liveness, readiness, metrics, and the description of the API.
package struct OperationsEndpoints: EndpointGroup {
    let readiness: Readiness
    let metrics: TextMetrics
    let signals: SignalDelivery
    private let process = ProcessMetrics()
    /// The addresses that may read the metrics.
    let readers: [AddressBlock]
    let document: [UInt8]

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/healthz", "health") { _ in .json(["status": "ok"]) },
            Endpoint(.get, "/readyz", "readiness", answerReadiness),
            Endpoint(.get, "/metrics", "metrics", exposition),
            Endpoint(.get, "/openapi.json", "openapi") { [document] _ in
                .json(text: document, fields: [.cacheControl: "public, max-age=300"])
            },
        ]
    }

    /// Whether the server can answer requests: the store reads and writes.
    private func answerReadiness(_ exchange: Exchange) async throws -> Reply {
        guard let missing = await readiness.missing() else { return .json(["status": "ready"]) }
        return .json(["status": "unavailable", "missing": .array([.string(missing.rawValue)])], status: 503)
    }

    /// Other peers get 404, and so does any request through a proxy.
    private func exposition(_ exchange: Exchange) async throws -> Reply {
        guard !exchange.origin.isForwarded, readers.contains(where: { $0.contains(exchange.origin.address) }) else {
            throw RequestRefusal.notFound
        }
        // Where the store does not answer, the last numbers stay.
        try? await signals.countPending()
        return .text(metrics.text + process.text, type: "text/plain; version=0.0.4; charset=utf-8")
    }
}
