#if Gateway
internal import Gateway

/// Looks at a YAML text before a parser does: the parser compares keys by all that they contain, and an alias of an alias of an alias
/// contains more than any memory holds.
///
/// The scan finds every anchor and alias, and refuses some texts that have none: a line of a block that begins with `*` or `&`, or such a
/// character after a comma in a quotation of several lines.
struct SettingsScan {
    private var level = 0
    /// Whether a quotation has been opened that its line did not close. From then on a `#` may be text.
    private var isInDoubt = false
    /// Whether an anchor, an alias or a tag may begin here. True wherever it could be so.
    private var mayStart = true
    /// Whether a value begins here. True only where it is certain: a quotation that is none must not hide what follows.
    private var starts = true

    /// - Throws: `SettingsFault` for anchors, aliases, tags, deep nesting in brackets, and line breaks that only YAML knows.
    static func check(_ text: String) throws(SettingsFault) {
        var scan = SettingsScan()
        var number = 0
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard !hasLineBreak(line) else { throw .lineBreak(line: number) }
            try scan.check(Array(line), number)
        }
    }

    private mutating func check(_ line: [UInt8], _ number: Int) throws(SettingsFault) {
        (mayStart, starts) = (true, true)
        var index = 0
        while index < line.count {
            let byte = line[index], endsWord = index + 1 >= line.count || Self.isBlank(line[index + 1])
            switch byte {
            case UInt8(ascii: "#") where !isInDoubt && (index == 0 || Self.isBlank(line[index - 1])): return
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if starts { index = skipQuotation(line, index) }
                (mayStart, starts) = (false, false)
            case UInt8(ascii: "&"), UInt8(ascii: "*"):
                if mayStart { throw .anchor(line: number) }
            case UInt8(ascii: "!"):
                if mayStart { throw SettingsFault(line: number, .unsupportedYAML, "tags are not read: write a text in quotation marks") }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                level += 1
                guard level <= SettingsNode.mostLevels else { throw .depth(line: number) }
                (mayStart, starts) = (true, true)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): level = max(0, level - 1)
            case UInt8(ascii: ","): (mayStart, starts) = (true, true)
            case UInt8(ascii: ":"): (mayStart, starts) = (endsWord || level > 0, endsWord)
            case UInt8(ascii: "-"), UInt8(ascii: "?"): (mayStart, starts) = (endsWord || level > 0, endsWord && starts)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: (mayStart, starts) = (false, false)
            }
            index += 1
        }
    }

    /// The place of the closing mark, if it is on this line; otherwise that of the opening one.
    private mutating func skipQuotation(_ line: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < line.count {
            if line[index] == line[start] { return index }
            if line[start] == UInt8(ascii: "\""), line[index] == UInt8(ascii: "\\") { index += 1 }
            index += 1
        }
        isInDoubt = true
        return start
    }

    /// Whether the line is several for YAML 1.1 (section 5.4): CR, U+0085, U+2028 and U+2029 end one. For an editor, and for this scan, a
    /// comment goes on after them.
    private static func hasLineBreak(_ line: Substring.UTF8View) -> Bool {
        line.contains(UInt8(ascii: "\r")) || Substring(line).unicodeScalars.contains { ["\u{85}", "\u{2028}", "\u{2029}"].contains($0) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { " \t\r".utf8.contains(byte) }
}
#endif
