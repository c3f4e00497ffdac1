import JWKSCache

/// A course of events for a key cache: what the issuer answers from when on, which keys tokens ask for, and what the cache must say.
struct CacheScenario: Decodable {
    let id: String
    let severity: String
    let source: Source
    let policy: Policy
    let steps: [Step]

    struct Source: Decodable {
        let jwks: String?
        let issuer: String?
    }

    /// Times in seconds.
    struct Policy: Decodable {
        let defaultLifetime: Double
        let lifetime: [Double]
        let refreshFraction: Double
        let refreshJitter: Double
        let staleIfError: Double
        let backoff: [Double]
        let longestRetryAfter: Double
        let attemptLimit: Double
        let probeLimit: Int
        let probeWindow: Double
        let negativeLifetime: Double
        let maximumChurn: Double?
        let heldRecheck: Double
        let emptySet: String

        private enum CodingKeys: String, CodingKey {
            case lifetime, backoff
            case defaultLifetime = "default_lifetime"
            case refreshFraction = "refresh_fraction"
            case refreshJitter = "refresh_jitter"
            case staleIfError = "stale_if_error"
            case longestRetryAfter = "longest_retry_after"
            case attemptLimit = "attempt_limit"
            case probeLimit = "probe_limit"
            case probeWindow = "probe_window"
            case negativeLifetime = "negative_lifetime"
            case maximumChurn = "maximum_churn"
            case heldRecheck = "held_recheck"
            case emptySet = "empty_set"
        }
    }

    struct Step: Decodable {
        /// Seconds since the start.
        let at: Double
        let serve: [String: Answer]?
        let ask: String?
        let refresh: Bool?
        let expect: Expectation?
    }

    /// A response, or the reason of its failure.
    struct Answer: Decodable {
        let status: Int?
        let fields: [[String]]?
        /// The name of a document.
        let document: String?
        let failure: String?
        /// How long it takes, in seconds.
        let after: Double?
    }

    /// Only the members that are there are compared.
    struct Expectation: Decodable {
        let answer: String?
        /// The answer of a cache that waits for the fetch.
        let waited: String?
        let keys: [String]?
        let generation: UInt64?
        let fetches: Int?
        let requests: Int?
    }
}

extension CacheScenario.Policy {
    var refreshPolicy: RefreshPolicy {
        var policy = RefreshPolicy()
        policy.defaultLifetime = .seconds(defaultLifetime)
        policy.lifetimeBounds = .seconds(lifetime[0])...(.seconds(lifetime[1]))
        policy.refreshFraction = refreshFraction
        policy.refreshJitter = refreshJitter
        policy.staleIfError = .seconds(staleIfError)
        policy.backoff = .seconds(backoff[0])...(.seconds(backoff[1]))
        policy.longestRetryAfter = .seconds(longestRetryAfter)
        policy.attemptLimit = .seconds(attemptLimit)
        policy.probeLimit = probeLimit
        policy.probeWindow = .seconds(probeWindow)
        policy.negativeLifetime = .seconds(negativeLifetime)
        policy.maximumChurn = maximumChurn
        policy.heldRecheck = .seconds(heldRecheck)
        policy.emptySet = emptySet == "revokes" ? .revokesAll : .failedRefresh
        return policy
    }
}

/// A file of scenarios: `"kind": "cache"`.
struct CacheScenarioFile {
    private struct Contents: Decodable {
        let documents: [String: String]
        let scenarios: [CacheScenario]
    }

    private let path: String
    private let contents: Contents

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .cache else { return nil }
        self.path = path
        contents = try VectorKind.contents(Contents.self, path, data)
    }

    var count: Int { contents.scenarios.count }

    func run(_ report: inout ConformanceReport) {
        for scenario in contents.scenarios {
            var run = CacheScenarioRun(scenario, documents: contents.documents)
            report.noteExactly(path, scenario.id, severity: scenario.severity, expected: "valid", got: run.difference() ?? "valid")
        }
    }
}
