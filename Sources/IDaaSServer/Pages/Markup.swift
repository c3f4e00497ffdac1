internal import Mustache

/// Escapes the values of a page.
///
/// swift-mustache's own escaping looks at whole characters: a quotation mark with a combining accent is another character and stays as it is,
/// while a browser sees the mark and ends the attribute. This one looks at code points.
struct Markup: MustacheContentType {
    /// The name in the pragma of a template.
    private static let name = "MARKUP"

    static func register() { MustacheContentTypes.register(Self(), named: name) }

    func escapeText(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            case "`": out += "&#96;"
            case "\u{0}"..<"\u{20}", "\u{7f}": out += " "
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
