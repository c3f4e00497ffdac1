import JWTCore

/// Where the tokenizer and jansson may differ: the table of Docs/Fuzzing.md.
enum DocumentedDifference {
    /// What only the tokenizer refuses: what is beyond its limits, and a NUL between values, which jansson overlooks.
    static func allows(refusing error: VerificationError, _ text: [UInt8]) -> Bool {
        [.tokenTooLarge, .nestingTooDeep, .tooManyMembers].contains(error.code) || text.contains(0)
    }

    /// What only jansson refuses: a real number beyond a double, and a name with an escaped NUL.
    static func allows(_ text: [UInt8], _ tape: Tape) -> Bool {
        var isAllowed = false
        tape.withRoot(text) { isAllowed = hasDifference($0) }
        return isAllowed
    }

    private static func hasDifference(_ value: borrowing JSONValue) -> Bool {
        if let number = value.number { return number.double == nil }
        var found = false
        value.forEachElement { if hasDifference($0) { found = true } }
        value.forEachMember { name, member in if name.utf8.contains(0) || hasDifference(member) { found = true } }
        return found
    }
}
