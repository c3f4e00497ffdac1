/// The operators that stand for others.
enum Replacements {
    static let binary: [String: [(Operator, String)]] = [
        "<": [(.boundary, "<="), (.negation, ">=")],
        "<=": [(.boundary, "<"), (.negation, ">")],
        ">": [(.boundary, ">="), (.negation, "<=")],
        ">=": [(.boundary, ">"), (.negation, "<")],
        "==": [(.negation, "!=")],
        "!=": [(.negation, "==")],
        "&&": [(.connective, "||")],
        "||": [(.connective, "&&")],
        "+": [(.arithmetic, "-")],
        "-": [(.arithmetic, "+")],
        "&+": [(.arithmetic, "&-")],
        "&-": [(.arithmetic, "&+")],
        "*": [(.arithmetic, "+")],
        "&*": [(.arithmetic, "&+")],
        "/": [(.arithmetic, "*")],
        "%": [(.arithmetic, "/")],
        "<<": [(.arithmetic, ">>")],
        ">>": [(.arithmetic, "<<")],
        "&<<": [(.arithmetic, "&>>")],
        "&>>": [(.arithmetic, "&<<")],
        "&": [(.arithmetic, "|")],
        "|": [(.arithmetic, "&")],
        "^": [(.arithmetic, "|")],
    ]

    static let assignment: [String: String] = [
        "+=": "-=", "-=": "+=", "*=": "+=", "&+=": "&-=", "&-=": "&+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=",
        "&<<=": "&>>=", "&>>=": "&<<=", "^=": "|=",
    ]

    static let function = ["min": "max", "max": "min"]

    /// The codes of refusals, in order of number; each is mistaken for the next.
    static let codes = [
        "tokenTooLarge", "malformedToken", "encryptedToken", "invalidBase64URL", "invalidJSON", "invalidUTF8", "duplicateMember",
        "nestingTooDeep", "tooManyMembers", "invalidHeader", "missingAlgorithm", "unsecuredToken", "unsupportedAlgorithm",
        "algorithmNotAllowed", "unsupportedCritical", "typeMismatch", "unknownKey", "ambiguousKey", "keyAlgorithmMismatch",
        "keyUseMismatch", "weakKey", "invalidKey", "keysUnavailable", "signatureInvalid", "missingClaim", "invalidClaim", "expired",
        "notYetValid", "issuedInFuture", "tooOld", "issuerMismatch", "audienceMismatch", "authorizedPartyMismatch", "nonceMismatch",
        "tokenHashMismatch", "authenticationTooOld", "contextClassMismatch", "revoked", "subjectMismatch", "insufficientScope",
        "invalidStatus",
    ]

    static func code(after name: String) -> String? {
        codes.firstIndex(of: name).map { codes[($0 + 1) % codes.count] }
    }
}
