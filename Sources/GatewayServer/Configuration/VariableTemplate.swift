#if Gateway
internal import Gateway

/// A text of the configuration, taken apart at its variables.
struct VariableTemplate {
    private(set) var parts: [Part] = []

    enum Part: Equatable {
        case text(String)
        /// With the text after `:-`, if there is one.
        case variable(String, standard: String?)
    }

    var hasVariables: Bool { parts.contains { if case .variable = $0 { true } else { false } } }

    private typealias Scalars = Substring.UnicodeScalarView

    /// - Throws: `SettingsFault` for a variable that is not closed or has no name.
    init(_ text: String, at place: SettingsPlace) throws(SettingsFault) {
        var rest = text[...].unicodeScalars
        while let mark = rest.firstRange(of: Self.mark) {
            let before = rest[..<mark.lowerBound]
            rest = rest[mark.upperBound...]
            if before.last == "$" {
                append(before.dropLast() + Self.mark)
                continue
            }
            append(before)
            guard let end = rest.firstIndex(of: "}") else {
                throw SettingsFault(place, .invalidValue, "a variable begins with `${` and has no `}`; the characters themselves are `$${`")
            }
            parts.append(try Self.variable(rest[..<end], at: place))
            rest = rest[rest.index(after: end)...]
        }
        append(rest)
    }

    /// Scalars: a mark that combines with a brace hides none.
    private static let mark = Array("${".unicodeScalars)

    private mutating func append(_ text: some Sequence<Unicode.Scalar>) {
        var more = String.UnicodeScalarView()
        more.append(contentsOf: text)
        guard !more.isEmpty else { return }
        if case .text(let known)? = parts.last {
            parts[parts.count - 1] = .text(known + String(more))
        } else {
            parts.append(.text(String(more)))
        }
    }

    private static func variable(_ text: Scalars, at place: SettingsPlace) throws(SettingsFault) -> Part {
        let separator = text.firstRange(of: Array(":-".unicodeScalars))
        let name = String(text[..<(separator?.lowerBound ?? text.endIndex)])
        guard isName(name) else {
            let shown = "`${\(name.prefix(64))}`"
            throw SettingsFault(place, .invalidValue, "\(shown): a variable's name has letters, digits and `_`, and begins with no digit")
        }
        let standard = separator.map { text[$0.upperBound...] }
        guard standard?.firstRange(of: mark) == nil else {
            throw SettingsFault(place, .invalidValue, "`${\(name.prefix(64))}`: a default has no variable in it")
        }
        return .variable(name, standard: standard.map { String($0) })
    }

    /// POSIX.1-2017 section 3.235.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return text.utf8.allSatisfy { SettingsNames.isNameByte($0) && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }
    }
}
#endif
