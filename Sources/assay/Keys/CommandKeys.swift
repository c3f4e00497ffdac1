import CommandProgram
import JWKSCache
import JWTCore

/// The keys of a command: from a file, or from a URL or issuer; those are refreshed while the command runs.
enum CommandKeys: KeySource {
    case fixed(KeySet)
    case remote(RemoteKeySet)

    /// A possible source of the keys that an argument names, and the role of the argument in it.
    struct Candidate {
        let source: KeySetSource
        let role: String
    }

    /// The time limit of a command's first fetch, for all its addresses and documents together, and of each later fetch.
    static let fetchLimit: Duration = .seconds(5)

    /// The keys of `place`: a file, or a URL of a JWK Set or of an issuer.
    ///
    /// - Throws: ``CommandFailure`` with exit code 2 if a file cannot be read, 3 if there are no keys, 5 if there is no memory.
    static func at(_ place: String, isForced: Bool = false) async throws -> Self {
        guard isURL(place) else { return .fixed(try keys(inFile: place)) }
        return .remote(try await fetch(place, as: candidates(for: place), isForced: isForced).keys)
    }

    /// The keys that the metadata of `issuer` names (OpenID Connect Discovery, RFC 8414). The metadata must name exactly that issuer.
    static func ofIssuer(_ issuer: String) async throws -> Self {
        guard isURL(issuer) else { throw CommandFailure.usage("the issuer is not an https address: name its keys with --keys") }
        return .remote(try await fetch(issuer, as: [Candidate(source: .issuer(issuer), role: "as an issuer")]).keys)
    }

    static func isURL(_ place: String) -> Bool { place.hasPrefix("https://") || place.hasPrefix("http://") }

    /// The possible sources for `place`.
    static func candidates(for place: String) -> [Candidate] {
        guard isURL(place) else { return [Candidate(source: .file(place), role: "as a file")] }
        return [Candidate(source: .jwks(url: place), role: "as a key set"), Candidate(source: .issuer(place), role: "as an issuer")]
    }

    /// The key set of the first candidate that has keys, and its events from the start. Each candidate is tried only once, so that the
    /// user quickly sees a failure.
    ///
    /// - Throws: ``CommandFailure`` with exit code 3 and every candidate's reason.
    static func fetch(
        _ place: String, as candidates: [Candidate], isForced: Bool = false
    ) async throws -> (keys: RemoteKeySet, events: AsyncStream<RefreshEvent>) {
        let clock = SystemElapsedClock(), deadline = clock.elapsed + fetchLimit
        var policy = RefreshPolicy.availabilityFirst
        policy.waitBudget = .interactive
        policy.attemptLimit = fetchLimit
        var reasons: [String] = []
        for candidate in candidates {
            let (events, continuation) = AsyncStream.makeStream(of: RefreshEvent.self, bufferingPolicy: .bufferingNewest(256))
            let keys = RemoteKeySet(
                candidate.source, policy: policy, transport: try CommandTransport.make(), loading: .lazy, clock: clock
            ) { continuation.yield($0) }
            let left = deadline - clock.elapsed
            if isForced { await keys.refresh(within: left) } else { await keys.firstAttempt(within: left) }
            if keys.isReady { return (keys, events) }
            let reason = keys.status.lastFailure.map { "\($0)" } ?? "no answer within \(fetchLimit.components.seconds) s"
            reasons.append(candidates.count > 1 ? "\(candidate.role), \(reason)" : reason)
        }
        throw CommandFailure.keysUnavailable("\(place): \(reasons.joined(separator: "; "))")
    }

    private static func keys(inFile path: String) throws -> KeySet {
        let document = try InputFile(path: path).contents(upTo: KeySet.maximumBytes)
        guard document.count <= KeySet.maximumBytes else {
            throw CommandFailure.keysUnavailable("\(path) is larger than \(KeySet.maximumBytes) bytes")
        }
        return try MemoryShortage.asking {
            try KeySet(document: document.span)
        } otherwise: { error in
            .keysUnavailable("\(path) has no usable key: \(error)")
        }
    }

    // KeySource

    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        switch self {
        case .fixed(let keys): try keys.withKeys(body)
        case .remote(let keys): try keys.withKeys(body)
        }
    }

    func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError {
        switch self {
        case .fixed(let fixed): fixed.refusal(ofUnknown: keyID, in: keys)
        case .remote(let remote): remote.refusal(ofUnknown: keyID, in: keys)
        }
    }

    /// Runs `body`; if a key is missing, fetches the keys and runs it again.
    func retrying<Result>(_ body: () throws(VerificationError) -> Result) async throws(VerificationError) -> Result {
        switch self {
        case .fixed: try body()
        case .remote(let keys): try await keys.retrying(body)
        }
    }
}
