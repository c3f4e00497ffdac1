internal import CJWTKernels

/// The limits for one JSON text: the part of a token's limits that concerns JSON.
package struct JSONLimits: Hashable, Sendable, BitwiseCopyable {
    package var depth: Int
    package var members: Int
    package var values: Int
    package var stringBytes: Int
    package var numberBytes: Int
    /// Escapes in all strings and names together.
    package var escapes = Int.max
    /// Bytes of a text in which a name has an escape. Such a text is read more slowly.
    package var escapedNameBytes = Int.max

    package init(depth: Int, members: Int, values: Int, stringBytes: Int, numberBytes: Int) {
        self.depth = depth
        self.members = members
        self.values = values
        self.stringBytes = stringBytes
        self.numberBytes = numberBytes
    }
}

extension JSONLimits {
    var kernel: cjwt_json_limits {
        cjwt_json_limits(
            depth: Int64(depth), members: Int64(members), values: Int64(values), string_bytes: Int64(stringBytes),
            number_bytes: Int64(numberBytes), escapes: Int64(escapes))
    }

    /// Throws the kernel's refusal of a text of `count` bytes. Returns where only the tokenizer can decide.
    func rethrow(_ fault: cjwt_json_fault, of count: Int) throws(VerificationError) {
        let code: VerificationError.Code
        switch Int(fault.kind) {
        case CJWT_JSON_INVALID: code = .invalidJSON
        case CJWT_JSON_NOT_UTF8: code = .invalidUTF8
        case CJWT_JSON_DUPLICATE: code = .duplicateMember
        case CJWT_JSON_TOO_DEEP: code = .nestingTooDeep
        case CJWT_JSON_TOO_MANY: code = .tooManyMembers
        case CJWT_JSON_TOO_LONG: code = .tokenTooLarge
        case CJWT_JSON_ESCAPED_NAME where count > escapedNameBytes: code = .tokenTooLarge
        default: return
        }
        throw VerificationError(code, at: Int(fault.at))
    }
}
