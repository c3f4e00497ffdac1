/// One fault of a configuration, at a place. The text names the setting and never repeats the value of a secret.
public struct SettingsFault: Error, Hashable, Sendable, Comparable, CustomStringConvertible {
    public let place: SettingsPlace
    public let code: Code
    public let text: String

    /// Stable names for tests and scripts.
    public enum Code: String, Sendable, CaseIterable {
        /// The file cannot be read, or is not a regular file.
        case unreadable
        case tooLarge = "too_large"
        case tooDeep = "too_deep"
        case notYAML = "not_yaml"
        case notJSON = "not_json"
        /// Anchors, aliases and tags: a small file could stand for a huge one. Also line breaks that editors do not show.
        case unsupportedYAML = "unsupported_yaml"
        case unknownSetting = "unknown_setting"
        case missingSetting = "missing_setting"
        case wrongKind = "wrong_kind"
        case invalidValue = "invalid_value"
        /// A name that nothing has, or that two things have.
        case unknownName = "unknown_name"
        case repeatedName = "repeated_name"
        case cycle
        case conflict
    }

    package init(line: Int, _ code: Code, _ text: String) { self.init(SettingsPlace(line: line), code, text) }

    package init(_ place: SettingsPlace, _ code: Code, _ text: String) {
        self.place = place
        self.code = code
        self.text = Self.printable(text)
    }

    /// The line in its file; zero for the whole file.
    public var line: Int { place.line }

    /// A longer text is cut.
    package static let mostScalars = 600

    /// The text as one line of at most ``mostScalars``: it repeats names of the file, and a terminal obeys some characters.
    package static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostScalars).map { isControl($0) ? "?" : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    public var description: String {
        if let file = place.file { return "\(Self.printable(place.text(own: file))): \(text)" }
        return line > 0 ? "line \(line): \(text)" : text
    }

    public static func < (one: Self, other: Self) -> Bool { (one.place, one.text) < (other.place, other.text) }
}

/// Every fault of a configuration, in the order of files and lines.
public struct SettingsFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let faults: [SettingsFault]

    package init(_ faults: [SettingsFault]) { self.faults = faults.sorted() }

    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
