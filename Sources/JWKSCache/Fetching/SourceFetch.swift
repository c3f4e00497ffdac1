internal import JWTCore

/// One fetch of a key set, without the network: asks the sources in order, until one has a usable set. Chooses the next document to
/// request, and evaluates the responses. Files and inline documents are read here.
package struct SourceFetch: Sendable {
    /// Issuers' metadata, by the index of their source.
    package typealias Memory = [Int: IssuerFetch.Metadata]

    /// The next step.
    package enum Step: Sendable {
        case request(OutgoingRequest)
        /// If all sources failed, the first one's failure; the others are only failover.
        case done(FetchResult)
    }

    /// What is known of issuers now.
    package private(set) var memory: Memory
    private let sources: [KeySetSource]
    private let situation: FetchSituation
    private var index = 0
    private var first: FetchResult?
    private var awaited = Awaited.nothing

    /// The response that the source at `index` waits for.
    private enum Awaited: Sendable {
        case nothing
        case keys(OutgoingRequest, FetchResult.Origin)
        case issuer(IssuerFetch)
    }

    /// - Parameters:
    ///   - sources: at least one.
    ///   - situation: the state at the start.
    ///   - memory: the ``memory`` of an earlier fetch.
    package init(_ sources: [KeySetSource], _ situation: FetchSituation, _ memory: Memory) {
        self.sources = sources
        self.situation = situation
        self.memory = memory
    }

    package var order: FetchOrder { situation.order }

    package mutating func begin() -> Step { next() }

    /// Processes the response to the last request.
    package mutating func receive(_ answer: Result<ReceivedResponse, RequestFailure>) -> Step {
        switch awaited {
        case .nothing: return next()
        case .keys(let request, let origin): return ended(situation.result(of: answer, to: request, origin))
        case .issuer(var fetch): return follow(fetch.receive(answer), fetch)
        }
    }

    /// Asks the source at `index`, and those after it while they fail without a request.
    private mutating func next() -> Step {
        while index < sources.count {
            let source = sources[index]
            // A file or an inline document must not replace keys that an issuer published later.
            if index > 0, !source.isLive, situation.keys != nil {
                index += 1
                continue
            }
            return ask(source)
        }
        return .done(first ?? .failed(.fetch(RequestFailure(.cancelled)), retryAfter: nil))
    }

    private mutating func ask(_ source: KeySetSource) -> Step {
        let local = FetchResult.Origin(sourceIndex: index, format: source.format, url: nil)
        switch source.place {
        case .url(let url):
            let origin = FetchResult.Origin(sourceIndex: index, format: source.format, url: url)
            let request = situation.request(for: url, origin)
            awaited = .keys(request, origin)
            return .request(request)
        case .issuer(let issuer):
            var fetch = IssuerFetch(issuer: issuer, sourceIndex: index, situation, metadata: memory[index])
            return follow(fetch.begin(), fetch)
        case .inline(let text): return ended(situation.result(of: text, CacheDirectives(), local))
        case .file(let path):
            guard let text = try? RegularFile.read(path, limit: KeySet.maximumBytes) else {
                return ended(.failed(.unreadableFile, retryAfter: nil))
            }
            return ended(situation.result(of: text, CacheDirectives(), local))
        }
    }

    private mutating func follow(_ step: IssuerFetch.Step, _ fetch: IssuerFetch) -> Step {
        memory[index] = fetch.metadata
        switch step {
        case .request(let request):
            awaited = .issuer(fetch)
            return .request(request)
        case .done(let result): return ended(result)
        }
    }

    /// Ends with a result that is no failure. After a cancellation no other source is asked.
    private mutating func ended(_ result: FetchResult) -> Step {
        awaited = .nothing
        guard case .failed(let failure, _) = result else { return .done(result) }
        let outcome = first ?? result
        first = outcome
        if case .fetch(let failure) = failure, failure.reason == .cancelled { return .done(outcome) }
        index += 1
        return next()
    }
}
