public import JWKSCache
internal import JWTCore
public import TokenStatus

/// Why a fetch brought no list that may be used. The last list stays accepted until its end.
public enum StatusListFailure: Error, Hashable, Sendable {
    /// There was no response.
    case fetch(RequestFailure)
    /// The response had another status than 200 or 304.
    case status(Int)
    /// A 304 to a request that was not conditional, or for a list that is gone.
    case unexpectedNotModified
    /// The response is not the Status List Token of this address: its signature, its claims or its list.
    case refused(StatusListError)
    /// The list names another issuer than the tokens.
    case otherIssuer
    /// `iat` is before that of the last list.
    case older
    /// The statuses have another size than those of the last list.
    case otherBits
    /// The list has fewer statuses than the last one. Tokens whose places are gone could never be judged again.
    case shrunken
    /// The lists in use leave no memory for it.
    case overBudget
    /// The attempt took longer than the policy allows.
    case attemptTimedOut

    /// Whether there was a list, and it was not acceptable: no outage, but a mistake or an attack.
    public var isRefusal: Bool {
        switch self {
        case .refused(let error): !error.isRetryable
        case .otherIssuer, .older, .otherBits, .shrunken: true
        case .fetch, .status, .unexpectedNotModified, .overBudget, .attemptTimedOut: false
        }
    }

    /// Whether the same list may be accepted once keys have come.
    var lacksKeys: Bool { if case .refused(let error) = self { error.isRetryable } else { false } }

    /// The stable name, for metrics and logs.
    public var code: String {
        switch self {
        case .fetch(let failure): RefreshFailure.fetch(failure).code
        case .status: "status"
        case .unexpectedNotModified: "unexpected_not_modified"
        case .refused(let error): error.cause?.code.name ?? error.code.name
        case .otherIssuer: "other_issuer"
        case .older: "older_list"
        case .otherBits: "other_bits"
        case .shrunken: "shrunken_list"
        case .overBudget: "over_budget"
        case .attemptTimedOut: "attempt_timed_out"
        }
    }
}
