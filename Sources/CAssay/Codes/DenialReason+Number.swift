internal import CAssayInterface
internal import Gateway
internal import JWTCore

extension assay_code {
    init(_ reason: DenialReason) {
        switch reason {
        case .token(let error): self = assay_code(error.code.number)
        case .insufficientScope: self = assay_code(ASSAY_INSUFFICIENT_SCOPE)
        case .revoked: self = assay_code(ASSAY_REVOKED)
        default: self = DenialReason.numbers.first { $0.reason == reason }?.number ?? .noDecision
        }
    }
}

extension DenialReason {
    /// The reasons that no verification of a token has.
    fileprivate static let numbers: [(reason: DenialReason, number: assay_code)] = [
        (.malformedRequest, assay_code(ASSAY_MALFORMED_REQUEST)), (.ambiguousPath, assay_code(ASSAY_AMBIGUOUS_PATH)),
        (.ambiguousField, assay_code(ASSAY_AMBIGUOUS_FIELD)), (.noRoute, assay_code(ASSAY_NO_ROUTE)),
        (.missingToken, assay_code(ASSAY_MISSING_TOKEN)), (.severalTokens, assay_code(ASSAY_SEVERAL_TOKENS)),
        (.claimMismatch, assay_code(ASSAY_CLAIM_MISMATCH)), (.claimsTooLarge, assay_code(ASSAY_CLAIMS_TOO_LARGE)),
        (.unhandledField, assay_code(ASSAY_UNHANDLED_FIELD)),
    ]

    /// The reason with this number, if there is one.
    init?(number: assay_code) {
        guard let known = Self.numbers.first(where: { $0.number == number }) else { return nil }
        self = known.reason
    }
}
