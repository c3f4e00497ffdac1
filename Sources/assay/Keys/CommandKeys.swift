import Foundation
import JWKSCache
import JWTCore

/// The keys a command works with: a file's, or an issuer's, kept fresh as long as the command runs.
enum CommandKeys: KeySource {
    case fixed(KeySet)
    case remote(RemoteKeySet)

    /// The keys of `place`: a file, or a URL of a JWK Set or of an issuer.
    ///
    /// - Throws: ``CommandFailure`` with exit code 3 where there are none.
    static func at(_ place: String, isForced: Bool = false) async throws -> Self {
        guard isURL(place) else { return .fixed(try keys(inFile: place)) }
        return .remote(try await ready(.jwks(url: place), failover: [.issuer(place)], isForced: isForced))
    }

    /// The keys that the metadata of `issuer` names (OpenID Connect Discovery, RFC 8414), which must name exactly that issuer.
    static func ofIssuer(_ issuer: String) async throws -> Self {
        guard isURL(issuer) else { throw CommandFailure.usage("an issuer is an https address; name its keys with --keys") }
        return .remote(try await ready(.issuer(issuer)))
    }

    static func isURL(_ place: String) -> Bool { place.hasPrefix("https://") || place.hasPrefix("http://") }

    /// A key set over the network that has keys.
    static func ready(
        _ source: KeySetSource, failover: [KeySetSource] = [], isForced: Bool = false,
        observer: (@Sendable (RefreshEvent) -> Void)? = nil
    ) async throws -> RemoteKeySet {
        var policy = RefreshPolicy.availabilityFirst
        policy.waitBudget = .interactive
        let keys = RemoteKeySet(
            source, failover: failover, policy: policy, transport: try CommandTransport.make(), loading: .lazy, observer: observer)
        // One attempt: a person would rather know now.
        if isForced { await keys.refresh() } else { await keys.firstAttempt() }
        guard keys.isReady else {
            let reason = keys.status.lastFailure.map { "\($0)" } ?? "no answer"
            throw CommandFailure.keysUnavailable("\(keys.name): \(reason)")
        }
        return keys
    }

    private static func keys(inFile path: String) throws -> KeySet {
        guard let data = FileManager.default.contents(atPath: path) else { throw CommandFailure.keysUnavailable("cannot read \(path)") }
        do {
            return try KeySet(document: Array(data).span)
        } catch {
            throw CommandFailure.keysUnavailable("\(path) holds no key this can use: \(error)")
        }
    }

    // As a source of keys

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

    /// Runs `body`, and again after each fetch that may have brought the key it lacked.
    func retrying<Result>(_ body: () throws(VerificationError) -> Result) async throws(VerificationError) -> Result {
        switch self {
        case .fixed: try body()
        case .remote(let keys): try await keys.retrying(body)
        }
    }
}
