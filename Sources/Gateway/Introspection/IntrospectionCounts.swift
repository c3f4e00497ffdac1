/// Counts what became of requests.
struct IntrospectionCounts: Sendable {
    /// By `active`, `inactive` or the name of a failure.
    private(set) var results: [String: UInt64] = [:]
    /// Look-ups that would have caused a request, and that the limits did not permit.
    var shed: UInt64 = 0
    /// The name of the last failure; nil after an answer.
    private(set) var lastFailure: String?

    mutating func count(_ result: Result<IntrospectionAnswer, IntrospectionFailure>) {
        switch result {
        case .success(let answer):
            lastFailure = nil
            results[answer.isActive ? "active" : "inactive", default: 0] += 1
        case .failure(let failure):
            lastFailure = failure.name
            results[failure.name, default: 0] += 1
        }
    }
}

/// The introspection of a provider's tokens, for metrics and as JSON.
package struct IntrospectionStatus: Encodable, Sendable {
    package let provider: String
    /// The requests that have ended, by `active`, `inactive` or the name of a failure.
    package let results: [String: UInt64]
    /// Tokens that were refused, or judged by an old answer, because the limits permitted no request.
    package let shed: UInt64
    /// Tokens whose answers are kept.
    package let tokens: Int
    /// Bytes of these answers.
    package let bytes: Int
    /// Requests under way.
    package let underWay: Int
    /// Requests of clients that wait.
    package let waiters: Int
    package let lastFailure: String?
}
