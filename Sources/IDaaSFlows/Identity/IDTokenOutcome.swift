public import JWTCore

/// What verifying an id_token ends in.
public enum IDTokenOutcome: FlowOutcome {
    case verified(UserInfo)
    /// The token is empty.
    case missingInput(FlowError)
    /// There are no keys, or none that the token names, also after asking the issuer again. The same token may pass later.
    case keysUnavailable(VerificationError)
    /// Not a JWS, of an algorithm that is not allowed, or its signature is wrong; or it says something else than an id_token.
    case refused(VerificationError)
    case issuerMismatch(VerificationError)
    case expired(VerificationError)
    case audienceMismatch(VerificationError)
    /// Of the future, by more than the leeway.
    case notYetValid(VerificationError)
    case cancelled

    /// 0, 1, 102 (no key), 103 (signature, and whatever is no id_token of this issuer), 106 (time), 107 (another client).
    public var legacyCode: String {
        switch self {
        case .verified: "0"
        case .missingInput, .cancelled: "1"
        case .keysUnavailable: "102"
        case .refused, .issuerMismatch: "103"
        case .expired, .notYetValid: "106"
        case .audienceMismatch: "107"
        }
    }

    /// Why the token was refused.
    public var verificationError: VerificationError? {
        switch self {
        case .keysUnavailable(let error), .refused(let error), .issuerMismatch(let error), .expired(let error),
            .audienceMismatch(let error), .notYetValid(let error):
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
        case (.keysUnavailable, _), (.unknownKey, _): self = .keysUnavailable(error)
        case (.issuerMismatch, _), (.missingClaim, .issuer): self = .issuerMismatch(error)
        case (.expired, _), (.missingClaim, .expiration): self = .expired(error)
        case (.audienceMismatch, _), (.authorizedPartyMismatch, _), (.missingClaim, .audience), (.missingClaim, .authorizedParty):
            self = .audienceMismatch(error)
        case (.notYetValid, _), (.issuedInFuture, _): self = .notYetValid(error)
        default: self = .refused(error)
        }
    }
}
