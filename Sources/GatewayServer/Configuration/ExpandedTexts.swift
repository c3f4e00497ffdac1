#if Gateway
package import Gateway

/// Texts of a configuration that have values of variables. A value may be secret, so a message shows such a text as the file has it.
package struct ExpandedTexts: Sendable {
    /// From a text in a form that messages have to the text with the names of its variables.
    private var sources: [String: String] = [:]

    /// A message shows at least so many characters of a text that it cuts.
    private static let shortestCut = 32

    mutating func insert(_ text: String, from source: String) {
        let shown = String(source.prefix(64))
        // Names of hosts are read in lower case and methods in upper case; a number is shown without its zeros, a claim as a JSON Pointer.
        let forms = [text, text.lowercased(), text.uppercased(), text.replacing(".", with: "/")] + (Int(text).map { ["\($0)"] } ?? [])
        for form in forms where !form.isEmpty { sources[SettingsFault.printable(form)] = shown }
    }

    package func conceal(_ faults: [SettingsFault]) -> [SettingsFault] {
        guard !sources.isEmpty else { return faults }
        // A text may be a part of a longer one.
        let ranked = sources.sorted { ($1.key.utf8.count, $0.key) < ($0.key.utf8.count, $1.key) }
            .map { (form: Array($0.key.unicodeScalars), source: Array($0.value.unicodeScalars)) }
        return faults.map { fault in
            // The name of the setting stands first, and is no value.
            let start = Self.endOfName(fault.text)
            let head = fault.text[..<start], tail = fault.text[start...]
            let isCut = fault.text.unicodeScalars.count == SettingsFault.mostScalars
            let text = ranked.reduce(Array(tail.unicodeScalars)) { Self.replacing($1.form, with: $1.source, in: $0, isCut: isCut) }
            return SettingsFault(fault.place, fault.code, head + String(String.UnicodeScalarView(text)))
        }
    }

    package func conceal(_ failure: SettingsFailure) -> SettingsFailure { SettingsFailure(conceal(failure.faults)) }

    /// The end of the name in backticks that a text begins with.
    private static func endOfName(_ text: String) -> String.Index {
        guard text.hasPrefix("`"), let end = text.dropFirst().firstIndex(of: "`"), text[end...].hasPrefix("`: ") else {
            return text.startIndex
        }
        return end
    }

    /// Replaces `form` where it is a word, whole or cut.
    ///
    /// - Parameter isCut: whether `text` may end within it.
    private static func replacing(_ form: [Unicode.Scalar], with source: [Unicode.Scalar], in text: [Unicode.Scalar], isCut: Bool)
        -> [Unicode.Scalar]
    {
        var result: [Unicode.Scalar] = [], place = 0
        while place < text.count {
            let count = zip(text[place...], form).prefix { $0 == $1 }.count
            let isWhole = count == form.count && (place + count == text.count || !isOfWord(text[place + count]))
            let endsText = isCut && count > 0 && place + count == text.count
            guard isWhole || endsText || count >= shortestCut, place == 0 || !isOfWord(text[place - 1]) else {
                result.append(text[place])
                place += 1
                continue
            }
            result += source
            place += count
        }
        return result
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
#endif
