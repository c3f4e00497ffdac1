public import JWTCore

/// The outcome of verifying an id_token.
public enum IDTokenOutcome: FlowOutcome {
    case verified(UserInfo)
    /// The token is empty.
    case missingInput(FlowError)
    /// The issuer's keys are not available now. The same token may pass later.
    case keysUnavailable(VerificationError)
    /// The issuer's keys are current, and do not contain the token's key.
    case unknownKey(VerificationError)
    /// The token is not a JWS, has a wrong signature or a forbidden algorithm, or is not an id_token.
    case refused(VerificationError)
    case issuerMismatch(VerificationError)
    case expired(VerificationError)
    case audienceMismatch(VerificationError)
    /// The token's dates are in the future by more than the leeway.
    case notYetValid(VerificationError)
    case cancelled

    /// `0`, `1`, `102` (no key), `103` (signature, issuer, not an id_token), `106` (time) or `107` (another client).
    public var legacyCode: String {
        switch self {
        case .verified: "0"
        case .missingInput, .cancelled: "1"
        case .keysUnavailable, .unknownKey: "102"
        case .refused, .issuerMismatch: "103"
        case .expired, .notYetValid: "106"
        case .audienceMismatch: "107"
        }
    }

    /// Why the token was refused.
    public var verificationError: VerificationError? {
        switch self {
        case .keysUnavailable(let error), .unknownKey(let error), .refused(let error), .issuerMismatch(let error),
            .expired(let error), .audienceMismatch(let error), .notYetValid(let error):
            error
        case .verified, .missingInput, .cancelled: nil
        }
    }

    public var failure: FlowError? {
        switch self {
        case .verified: nil
        case .missingInput(let error): error
        case .cancelled: FlowError(.cancelled)
        default: verificationError.map { FlowError(.token($0)) }
        }
    }

    public func get() throws(FlowError) -> UserInfo {
        if case .verified(let user) = self { return user }
        throw failure ?? FlowError(.cancelled)
    }

    init(_ error: VerificationError) {
        switch (error.code, error.claim) {
        case (.keysUnavailable, _): self = .keysUnavailable(error)
        case (.unknownKey, _): self = .unknownKey(error)
        case (.issuerMismatch, _), (.missingClaim, .issuer): self = .issuerMismatch(error)
        case (.expired, _), (.missingClaim, .expiration): self = .expired(error)
        case (.audienceMismatch, _), (.authorizedPartyMismatch, _), (.missingClaim, .audience), (.missingClaim, .authorizedParty):
            self = .audienceMismatch(error)
        case (.notYetValid, _), (.issuedInFuture, _): self = .notYetValid(error)
        default: self = .refused(error)
        }
    }
}
