internal import JWTCore

/// How far a judgement comes.
enum DecisionProgress {
    case decided(Verdict)
    /// Keys or a status list are missing, and a fetch may bring them.
    case lacking
    /// The requirement holds, if these tokens are used for the first time.
    case using(Judgement, [TokenUse])
}

/// How far a decision comes without waiting.
package enum DecisionStep: Sendable {
    case decided(Decision)
    /// The keys of a token or its status list are missing, and a fetch may bring them; or the memory of uses is elsewhere.
    case waiting(PendingDecision)
}

/// A decision that waits for keys, a status list or the memory of uses. It is counted when it ends.
package struct PendingDecision: Sendable {
    let facts: RequestFacts
    let now: NumericDate
    /// A judgement that lacks nothing but the memory's answers, with its memory; nil where keys or a list are missing.
    var using: Using?

    struct Using: Sendable {
        let judgement: Judgement
        let uses: [TokenUse]
        let memory: DecisionMemory
    }
}
