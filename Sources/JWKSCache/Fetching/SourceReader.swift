/// Makes the requests of one fetch.
struct SourceReader: Sendable {
    let sources: [KeySetSource]
    let transport: any DocumentTransport

    /// One fetch (``SourceFetch``).
    func read(_ situation: FetchSituation, _ memory: inout SourceFetch.Memory) async -> FetchResult {
        var fetch = SourceFetch(sources, situation, memory)
        defer { memory = fetch.memory }
        var step = fetch.begin()
        while true {
            switch step {
            case .request(let request): step = fetch.receive(await answer(to: request))
            case .done(let result): return result
            }
        }
    }

    private func answer(to request: OutgoingRequest) async -> Result<ReceivedResponse, RequestFailure> {
        // A cancelled fetch sends no further request, however its transport handles cancellation.
        guard !Task.isCancelled else { return .failure(RequestFailure(.cancelled)) }
        do throws(RequestFailure) {
            return .success(try await transport.fetch(request))
        } catch {
            return .failure(error)
        }
    }
}
