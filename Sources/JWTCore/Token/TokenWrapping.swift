/// What people copy with a token: it tells from the form of a refused text what stands around the token. For explanations.
package enum TokenWrapping {
    case scheme, quotes, lines

    /// Nil if nothing known stands around the token.
    package init?(of text: Span<UInt8>) {
        guard text.count > 1 else { return nil }
        let first = text[0], last = text[text.count - 1]
        if Self.beginsWithScheme(text) {
            self = .scheme
        } else if first == last, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            self = .quotes
        } else if text.indices.contains(where: { text[$0] == 0x0a || text[$0] == 0x0d }) {
            self = .lines
        } else {
            return nil
        }
    }

    package var sentence: String {
        switch self {
        case .scheme: "the text begins with `Bearer`: the token is what follows it"
        case .quotes: "the text stands in quotes: the token is what is between them"
        case .lines: "the text is broken over lines: a token is one line"
        }
    }

    /// RFC 9110 section 11.1: the scheme in any case, and a blank.
    private static func beginsWithScheme(_ text: Span<UInt8>) -> Bool {
        let scheme = Array("bearer".utf8)
        guard text.count > scheme.count, text[scheme.count] == UInt8(ascii: " ") || text[scheme.count] == UInt8(ascii: ":") else {
            return false
        }
        return scheme.indices.allSatisfy { text[$0] | 0x20 == scheme[$0] }
    }
}
