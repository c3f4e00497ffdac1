#if IDaaS
internal import Foundation

/// A regular expression of the configuration, compiled once.
struct NumberPattern: Sendable {
    private let expression: NSRegularExpression

    /// Nil for a pattern that is none, or longer than 256 bytes.
    init?(_ pattern: String) {
        guard !pattern.isEmpty, pattern.utf8.count <= 256,
            let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
        else { return nil }
        self.expression = expression
    }

    func matchesWhole(_ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
}
#endif
