internal import JWTCore

/// How far a decision comes without waiting.
package enum DecisionStep: Sendable {
    case decided(Decision)
    /// The keys of a token or its status list are missing, and a fetch may bring them.
    case waiting(PendingDecision)
}

/// A decision that waits for keys or a status list. It is counted when it ends.
package struct PendingDecision: Sendable {
    let facts: RequestFacts
    let now: NumericDate
}
