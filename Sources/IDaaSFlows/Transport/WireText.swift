internal import JWKSCache

/// A user's text, as a request carries it.
enum WireText {
    /// The text without surrounding spaces.
    ///
    /// - Parameter name: the text's name on the wire, for the error.
    /// - Throws: `missingInput` for an empty text, `invalidInput` for one that is too long or is not one line.
    static func checked(_ text: String, _ name: String, upTo longest: Int = 64) throws(FlowError) -> String {
        let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !trimmed.isEmpty else { throw FlowError(.missingInput(name)) }
        guard trimmed.utf8.count <= longest, HeaderField.isOneLine(trimmed) else { throw FlowError(.invalidInput(name)) }
        return trimmed
    }
}

extension HeaderField {
    /// Whether a field of the wire protocol can carry the value unchanged: one line of text.
    static func isOneLine(_ value: String) -> Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
}
