internal import JWTCore

/// Why a requirement does not hold.
struct Refusal: Error {
    let reason: DenialReason
    /// The position of the provider in the policy; nil where none is the cause.
    let provider: Int?
    /// The position of the token's issuer among those of the provider, where its keys are missing.
    let issuer: Int

    init(_ reason: DenialReason, provider: Int? = nil, issuer: Int = 0) {
        self.reason = reason
        self.provider = provider
        self.issuer = issuer
    }

    var lacksKeys: Bool {
        guard case .token(let error) = reason else { return false }
        return error.code == .keysUnavailable
    }

    /// The place of the fault in the token.
    var offset: Int? { if case .token(let error) = reason { error.offset } else { nil } }

    /// How much it says about the request. Of several refusals the one that says most is reported.
    var rank: Int {
        switch reason {
        case .token(let error) where error.code == .keysUnavailable: 3
        case .statusUnavailable, .replayMemoryUnavailable: 3
        case .token(let error) where error.code == .issuerMismatch: 1
        case .missingToken: 0
        default: 2
        }
    }
}
