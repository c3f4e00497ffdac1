internal import JWTCore

/// One fetch of an issuer's keys, without the network: chooses the next document to request, and evaluates the responses.
///
/// The keys are requested from the address in the metadata. If that fails, or lacks the key that a token named, the metadata is read again
/// and a new address is followed within the same fetch. So there are at most ``requestLimit`` requests: the keys, the two addresses of the
/// metadata, the keys at their new address.
package struct IssuerFetch: Sendable {
    package static let requestLimit = 4

    /// The next step.
    package enum Step: Sendable {
        case request(OutgoingRequest)
        case done(FetchResult)
    }

    /// An issuer's metadata as last read.
    package struct Metadata: Sendable {
        package let document: IssuerMetadata
        package let readAt: Duration
        /// The keys' address failed at its last request and asked for a pause. If it fails again, the metadata is read again.
        var isDoubted = false
        /// The metadata's address asked for a pause until this time.
        var pausedUntil: Duration?
        /// When it was last asked for because the keys were looked for elsewhere.
        var lookedAt: Duration?

        /// Metadata is valid for a day, unless the keys are not at the address it names.
        static let lifetime: Duration = .seconds(86_400)
    }

    /// The metadata known now.
    package private(set) var metadata: Metadata?
    private let issuer: String
    private let sourceIndex: Int
    private let situation: FetchSituation
    private var stage = Stage.start

    private enum Stage: Sendable {
        case start
        /// Waiting for the keys.
        case keys(OutgoingRequest, FetchResult.Origin, mayHaveMoved: Bool)
        /// Waiting for the metadata; the rest of `addresses` follows. `first` is the result from the previous key address.
        case metadata(addresses: ArraySlice<String>, first: FetchResult?)
    }

    /// - Parameter metadata: the ``metadata`` of an earlier fetch.
    package init(issuer: String, sourceIndex: Int, _ situation: FetchSituation, metadata: Metadata?) {
        self.issuer = issuer
        self.sourceIndex = sourceIndex
        self.situation = situation
        let isCurrent = metadata.map { situation.order.startedAt - $0.readAt < Metadata.lifetime } ?? false
        self.metadata = isCurrent ? metadata : nil
    }

    package mutating func begin() -> Step {
        metadata.map { requestKeys(at: $0.document.keysURL, mayHaveMoved: true) } ?? discover(after: nil)
    }

    /// Processes the response to the last request.
    package mutating func receive(_ answer: Result<ReceivedResponse, RequestFailure>) -> Step {
        switch stage {
        case .start: begin()
        case .keys(let request, let origin, let mayHaveMoved):
            receiveKeys(situation.result(of: answer, to: request, origin), mayHaveMoved)
        case .metadata(let addresses, let first): receiveMetadata(answer, addresses, after: first)
        }
    }

    // Keys

    private mutating func requestKeys(at url: String, mayHaveMoved: Bool) -> Step {
        let origin = FetchResult.Origin(sourceIndex: sourceIndex, format: .jwks, url: url)
        let request = situation.request(for: url, origin)
        stage = .keys(request, origin, mayHaveMoved: mayHaveMoved)
        return .request(request)
    }

    private mutating func receiveKeys(_ result: FetchResult, _ mayHaveMoved: Bool) -> Step {
        if case .failed = result {} else { metadata?.isDoubted = false }
        if !mayHaveMoved, hasFound(result) { metadata?.lookedAt = nil }
        guard mayHaveMoved, isReasonToLookElsewhere(result) else { return .done(result) }
        if case .failed(_, retryAfter: .some) = result, metadata?.isDoubted == false {
            metadata?.isDoubted = true
            return .done(result)
        }
        if let pause = metadata?.pausedUntil, situation.order.startedAt < pause { return .done(result) }
        guard mayLook() else { return .done(result) }
        return discover(after: result)
    }

    /// Whether the metadata may be asked once more: once in a window, whatever key ids tokens invent and however often the keys' address
    /// fails. A look that finds the keys does not count.
    private mutating func mayLook() -> Bool {
        if let last = metadata?.lookedAt, situation.order.startedAt - last < situation.policy.probeWindow { return false }
        metadata?.lookedAt = situation.order.startedAt
        return true
    }

    private func hasFound(_ result: FetchResult) -> Bool {
        guard case .document(let fetched) = result else { return false }
        return situation.order.wanted == nil || fetched.document.keys.has(situation.order.wanted)
    }

    private func isReasonToLookElsewhere(_ result: FetchResult) -> Bool {
        let isProbe = situation.order.cause == .probe
        return switch result {
        case .failed(.fetch(let failure), _): failure.reason != .cancelled
        case .failed: true
        case .notModified: isProbe
        case .document(let fetched): isProbe && situation.keys?.hasSameKeys(as: fetched.document.keys) == true
        }
    }

    // Metadata

    private mutating func discover(after first: FetchResult?) -> Step {
        guard let addresses = IssuerMetadata.addresses(of: issuer) else {
            return .done(.failed(.fetch(RequestFailure(.invalidURL, issuer)), retryAfter: nil))
        }
        return requestMetadata(at: addresses[...], after: first)
    }

    private mutating func requestMetadata(at addresses: ArraySlice<String>, after first: FetchResult?) -> Step {
        guard let url = addresses.first else { return metadataFailed(.status(404), retryAfter: nil, after: first) }
        stage = .metadata(addresses: addresses.dropFirst(), first: first)
        // If the keys are not at their address, they may have moved: do not accept a cached copy of the old metadata.
        return .request(OutgoingRequest(document: url, isForced: situation.order.isForced || first != nil))
    }

    private mutating func receiveMetadata(
        _ answer: Result<ReceivedResponse, RequestFailure>, _ others: ArraySlice<String>, after first: FetchResult?
    ) -> Step {
        let response: ReceivedResponse
        switch answer {
        case .failure(let failure): return metadataFailed(.fetch(failure), retryAfter: nil, after: first)
        case .success(let success): response = success
        }
        if response.status == 200 { return follow(response.body, after: first) }
        let retryAfter = CacheDirectives.retryAfter(response)
        // The document does not exist here, but may exist at the other address. If an issuer asks for a pause, it gets no further request.
        let isAbsent = (400..<500).contains(response.status) && response.status != 429 && retryAfter == nil
        guard isAbsent, !others.isEmpty else { return metadataFailed(.status(response.status), retryAfter: retryAfter, after: first) }
        return requestMetadata(at: others, after: first)
    }

    private mutating func follow(_ text: [UInt8], after first: FetchResult?) -> Step {
        do throws(RefreshFailure) {
            let document = try IssuerMetadata(text, of: issuer)
            let former = metadata?.document.keysURL, lookedAt = metadata?.lookedAt
            metadata = Metadata(document: document, readAt: situation.order.startedAt, lookedAt: lookedAt)
            if let first, document.keysURL == former { return .done(first) }
            return requestKeys(at: document.keysURL, mayHaveMoved: false)
        } catch {
            return metadataFailed(error, retryAfter: nil, after: first)
        }
    }

    /// The result from the keys' previous address stays valid.
    private mutating func metadataFailed(_ failure: RefreshFailure, retryAfter: Duration?, after first: FetchResult?) -> Step {
        guard let first else { return .done(.failed(failure, retryAfter: retryAfter)) }
        // As for a probe, the next attempt waits at most for the window.
        metadata?.pausedUntil = retryAfter.map { situation.order.startedAt + min($0, situation.policy.probeWindow) }
        if case .failed(let failure, retryAfter: let own) = first { return .done(.failed(failure, retryAfter: own ?? retryAfter)) }
        return .done(first)
    }
}
