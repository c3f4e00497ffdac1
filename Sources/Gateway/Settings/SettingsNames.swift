/// The names that an operator gives to providers, policies and listeners: they are labels in metrics and words in logs.
package enum SettingsNames {
    /// Letters, digits, `-`, `_` and `.`, at most 64.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
    }

    package static func isNameByte(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || "-_.".utf8.contains(byte) }

    /// Whether `text` is a token (RFC 9110 section 5.6.2), as methods and names of header fields are.
    package static func isToken(_ text: String) -> Bool { FieldNames.isToken(text) }

    /// The required `name` of a section, unlike all of `others`.
    package static func name(of section: SettingsSection, kind: String, unlike others: inout Set<String>, reserved: Set<String> = [])
        -> String?
    {
        guard let name = section.requiredText("name") else { return nil }
        guard isName(name), !reserved.contains(name) else {
            section.fault("name", .invalidValue, "letters, digits, `-`, `_` and `.` are allowed, at most 64, and not a word with a meaning")
            return nil
        }
        if !others.insert(name).inserted { section.fault("name", .repeatedName, "two \(kind) are called `\(name)`") }
        return name
    }
}
