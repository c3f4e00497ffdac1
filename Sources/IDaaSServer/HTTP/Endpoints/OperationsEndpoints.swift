#if IDaaS
internal import HTTPTypes

/// For those who run the server: is it up, can it work, what does it count, and what does it serve.
package struct OperationsEndpoints: EndpointGroup {
    let readiness: Readiness
    let metrics: TextMetrics
    /// From where the metrics may be read.
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

    /// Whether requests can be answered: the store reads and writes.
    private func answerReadiness(_ exchange: Exchange) async throws -> Reply {
        await readiness.isReady() ? .json(["status": "ready"]) : .json(["status": "unavailable"], status: 503)
    }

    /// Nothing is here for anybody else, nor for what came through a proxy, whoever sent it.
    private func exposition(_ exchange: Exchange) async throws -> Reply {
        guard !exchange.origin.isForwarded, readers.contains(where: { $0.contains(exchange.origin.address) }) else {
            throw RequestRefusal.notFound
        }
        return .text(metrics.text, type: "text/plain; version=0.0.4; charset=utf-8")
    }
}
#endif
