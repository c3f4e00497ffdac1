internal import JWTCore
internal import ReplayMemory

/// The use of a token that passes once, or of a proof.
struct TokenUse: Sendable {
    let identifier: ReplayIdentifier
    /// From this date on every verifier refuses the token as expired.
    let end: NumericDate
    /// Why a second use is refused.
    let replay: DenialReason
    /// Of a proof: the nonce that the next one needs, if it is another one.
    let nextNonce: String?
}

extension TokenUse {
    /// - Throws: `missing_claim` for a token without `jti` or `exp`: nothing tells it from another one, or says how long to remember it.
    init(of claims: borrowing Claims, leeway: Duration) throws(VerificationError) {
        guard let tokenID = claims.tokenID else { throw VerificationError(.missingClaim, claim: .tokenID) }
        guard let expiration = claims.expiration else { throw VerificationError(.missingClaim, claim: .expiration) }
        // A policy for one issuer admits no token without `iss`.
        identifier = ReplayIdentifier("token", [claims.issuer?.utf8 ?? [], tokenID.utf8])
        end = expiration.advanced(by: leeway)
        replay = .replayed
        nextNonce = nil
    }
}

/// What the memory of uses has said about a use, as a decision needs it.
enum UseAnswer: Sendable {
    case first
    case refused(DenialReason)
}

/// The uses of the tokens of one decision.
struct TokenUses: Sendable {
    /// What the memory has said in this decision. A token that comes in two places is used once.
    private var answers: [ReplayIdentifier: UseAnswer] = [:]
    /// What this request has used, in the order of its uses.
    private(set) var used: [ReplayIdentifier] = []
    /// That the client's next proof needs, if the last proof has the one before.
    var nextNonce: String?
    /// The uses without an answer, by the position of the provider; empty where no provider's tokens pass once.
    private var open: [TokenUse?] = []

    var isEmpty: Bool { answers.isEmpty && open.isEmpty }

    /// Forgets a judgement, and keeps the answers.
    mutating func begin(providers: Int) {
        guard !open.isEmpty || providers > 0 else { return }
        open = [TokenUse?](repeating: nil, count: providers)
        nextNonce = nil
    }

    /// Why a use is refused. One that the memory has not been asked about is open: it counts as the first until the requirement holds.
    mutating func refusal(of use: TokenUse, from provider: Int) -> DenialReason? {
        switch answers[use.identifier] {
        case .refused(.replayed): return use.replay
        case .refused(let reason): return reason
        case .first: return nil
        case nil:
            open[provider] = use
            return nil
        }
    }

    /// The open uses of these providers.
    func open(of providers: Positions) -> [TokenUse] { open.isEmpty ? [] : providers.compactMap { open[$0] } }

    func isAnswered(_ use: TokenUse) -> Bool { answers[use.identifier] != nil }

    mutating func answer(_ use: TokenUse, _ answer: UseAnswer) {
        answers[use.identifier] = answer
        if case .first = answer { used.append(use.identifier) }
    }

    /// Takes over what an earlier decision about the same request has used.
    mutating func admit(_ identifier: ReplayIdentifier) {
        if answers.updateValue(.first, forKey: identifier) == nil { used.append(identifier) }
    }

    /// Whether each of these is the first use of its token.
    func areFirst(_ uses: [TokenUse]) -> Bool {
        uses.allSatisfy { if case .first = answers[$0.identifier] { true } else { false } }
    }
}
