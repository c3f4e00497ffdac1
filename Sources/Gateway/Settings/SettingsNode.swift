/// A value of a configuration, in whatever language it is written.
package struct SettingsNode {
    package let place: SettingsPlace
    package let content: Content

    package enum Content {
        /// No value.
        case nothing
        /// A scalar as it is written, and whether it is in quotation marks or a block.
        case text(String, isQuoted: Bool)
        case list([SettingsNode])
        case section([Member])
    }

    package struct Member {
        package let name: String
        package let place: SettingsPlace
        package let value: SettingsNode

        package init(name: String, at place: SettingsPlace, value: SettingsNode) {
            self.name = name
            self.place = place
            self.value = value
        }
    }

    package init(at place: SettingsPlace, content: Content) {
        self.place = place
        self.content = content
    }

    /// A text; nil for another value. In JSON a number and a flag are none, in YAML what has no quotation marks may be one.
    var text: String? {
        if case .text(let text, let isQuoted) = content, isQuoted || place.line > 0 { text } else { nil }
    }

    /// A text, a number or a flag, as it is written; nil for another value.
    var scalar: String? { if case .text(let text, _) = content { text } else { nil } }

    /// The largest document, in bytes.
    package static let mostBytes = 1_048_576
    /// The deepest nesting of lists and sections. A configuration needs eight.
    package static let mostLevels = 16
}
