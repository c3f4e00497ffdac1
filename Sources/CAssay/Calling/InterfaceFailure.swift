internal import CAssayInterface
internal import JWTCore

/// Why a function of the C interface does not return ASSAY_OK.
struct InterfaceFailure: Error {
    let code: assay_code

    init(_ code: assay_code) { self.code = code }

    init(_ error: VerificationError) { code = assay_code(error.code.number) }
}

extension assay_code {
    static let ok = assay_code(ASSAY_OK)
    static let invalidArgument = assay_code(ASSAY_INVALID_ARGUMENT)
    static let resultTooSmall = assay_code(ASSAY_RESULT_TOO_SMALL)
    static let noClaims = assay_code(ASSAY_NO_CLAIMS)
    static let noValue = assay_code(ASSAY_NO_VALUE)
    static let wrongType = assay_code(ASSAY_WRONG_TYPE)
    static let notDue = assay_code(ASSAY_NOT_DUE)
    static let fetchContinues = assay_code(ASSAY_FETCH_CONTINUES)
    static let fetchFailed = assay_code(ASSAY_FETCH_FAILED)
    static let fetchEnded = assay_code(ASSAY_FETCH_ENDED)
    static let invalidSettings = assay_code(ASSAY_INVALID_SETTINGS)
    static let awaitingKeys = assay_code(ASSAY_AWAITING_KEYS)
    static let noDecision = assay_code(ASSAY_NO_DECISION)
}
