internal import CAssayInterface
internal import Gateway
internal import JWTCore

extension assay_code {
    init(_ reason: DenialReason) {
        let number =
            switch reason {
            case .token(let error): Int(error.code.number)
            case .insufficientScope: ASSAY_INSUFFICIENT_SCOPE
            case .revoked: ASSAY_REVOKED
            case .malformedRequest: ASSAY_MALFORMED_REQUEST
            case .ambiguousPath: ASSAY_AMBIGUOUS_PATH
            case .ambiguousField: ASSAY_AMBIGUOUS_FIELD
            case .noRoute: ASSAY_NO_ROUTE
            case .missingToken: ASSAY_MISSING_TOKEN
            case .severalTokens: ASSAY_SEVERAL_TOKENS
            case .claimMismatch: ASSAY_CLAIM_MISMATCH
            case .claimsTooLarge: ASSAY_CLAIMS_TOO_LARGE
            case .unhandledField: ASSAY_UNHANDLED_FIELD
            case .noPolicy: ASSAY_NO_POLICY
            case .suspended: ASSAY_SUSPENDED
            case .statusUnavailable: ASSAY_STATUS_UNAVAILABLE
            case .replayed: ASSAY_REPLAYED
            case .replayMemoryUnavailable: ASSAY_REPLAY_MEMORY_UNAVAILABLE
            }
        self = assay_code(number)
    }
}

extension DenialReason {
    /// The reasons that no verification of a token has.
    private static let ofRequests: [Self] = [
        .malformedRequest, .ambiguousPath, .ambiguousField, .noRoute, .missingToken, .severalTokens, .claimMismatch, .claimsTooLarge,
        .unhandledField, .noPolicy, .suspended, .statusUnavailable, .replayed, .replayMemoryUnavailable,
    ]

    /// The reason with this number, if there is one.
    init?(number: assay_code) {
        guard let known = Self.ofRequests.first(where: { assay_code($0) == number }) else { return nil }
        self = known
    }
}
