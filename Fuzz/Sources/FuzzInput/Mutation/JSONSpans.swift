/// Where the values and the names of a JSON text are. Reads any bytes, and is lenient: what a mutator has broken is broken further.
struct JSONSpans {
    /// Every value, in the order of their ends. A member's value has the place of its name.
    private(set) var values: [Span] = []

    struct Span {
        var range: Range<Int>
        /// The name in its quotes, of a member.
        var name: Range<Int>?

        /// The whole member, or the element.
        var member: Range<Int> { (name?.lowerBound ?? range.lowerBound)..<range.upperBound }
    }

    private struct Open {
        let start: Int
        let name: Range<Int>?
        var pending: Range<Int>?
    }

    init(_ text: [UInt8]) {
        var open: [Open] = [], position = 0
        while position < text.count {
            let start = position
            switch text[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(Open(start: start, name: Self.takeName(&open)))
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                position += 1
                if let closed = open.popLast() { values.append(Span(range: closed.start..<position, name: closed.name)) }
            case UInt8(ascii: "\""):
                position = Self.stringEnd(text, position)
                let colon = text[position...].first { $0 > 0x20 }
                if colon == UInt8(ascii: ":"), let last = open.indices.last {
                    open[last].pending = start..<position
                } else {
                    values.append(Span(range: start..<position, name: Self.takeName(&open)))
                }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0...0x20: position += 1
            default:
                position = text[position...].firstIndex { ",:{}[]\"".utf8.contains($0) || $0 <= 0x20 } ?? text.count
                values.append(Span(range: start..<position, name: Self.takeName(&open)))
            }
        }
    }

    /// The name that waits for its value.
    private static func takeName(_ open: inout [Open]) -> Range<Int>? {
        guard let last = open.indices.last else { return nil }
        defer { open[last].pending = nil }
        return open[last].pending
    }

    private static func stringEnd(_ text: [UInt8], _ start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") { position += text[position] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(position + 1, text.count)
    }
}
