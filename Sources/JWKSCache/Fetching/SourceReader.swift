internal import JWTCore

/// Makes the requests of one fetch: asks the sources of a key set in order, until one has a usable set.
struct SourceReader: Sendable {
    let sources: [KeySetSource]
    let transport: any DocumentTransport

    /// Issuers' metadata, by the index of their source.
    typealias Memory = [Int: IssuerFetch.Metadata]

    /// One fetch. If all sources fail, the result is the first source's failure; the others are only failover.
    func read(_ situation: FetchSituation, _ memory: inout Memory) async -> FetchResult {
        var first: FetchResult?
        for (index, source) in sources.enumerated() where !Task.isCancelled {
            // A file or an inline document must not replace keys that an issuer published later.
            if index > 0, !source.isLive, situation.keys != nil { continue }
            let result = await read(source, index, situation, &memory)
            guard case .failed = result else { return result }
            first = first ?? result
        }
        return first ?? .failed(.fetch(RequestFailure(.cancelled)), retryAfter: nil)
    }

    private func read(_ source: KeySetSource, _ index: Int, _ situation: FetchSituation, _ memory: inout Memory) async -> FetchResult {
        let local = FetchResult.Origin(sourceIndex: index, format: source.format, url: nil)
        switch source.place {
        case .url(let url):
            let origin = FetchResult.Origin(sourceIndex: index, format: source.format, url: url)
            let request = situation.request(for: url, origin)
            return situation.result(of: await answer(to: request), to: request, origin)
        case .issuer(let issuer):
            var fetch = IssuerFetch(issuer: issuer, sourceIndex: index, situation, metadata: memory[index])
            defer { memory[index] = fetch.metadata }
            return await run(&fetch)
        case .inline(let text): return situation.result(of: text, CacheDirectives(), local)
        case .file(let path):
            guard let text = try? RegularFile.read(path, limit: KeySet.maximumBytes) else {
                return .failed(.unreadableFile, retryAfter: nil)
            }
            return situation.result(of: text, CacheDirectives(), local)
        }
    }

    private func run(_ fetch: inout IssuerFetch) async -> FetchResult {
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
