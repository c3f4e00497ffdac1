import CFuzzDriver

/// Changes a JSON text by its grammar: a change of a value or a member leaves the rest readable, so that code behind the parser is reached.
public struct JSONMutator: Sendable {
    private let names: [String]
    private let values: [String]

    /// - Parameters:
    ///   - names: the names that the code under test looks for.
    ///   - values: the values that it compares with, as JSON.
    public init(names: [String], values: [String]) {
        self.names = names
        self.values = values + Self.values
    }

    private static let values = [
        "null", "true", "false", "0", "-0", "1", "1.5", "1e3", "-1", "1e400", "1E-5", "9007199254740993", "9223372036854775807",
        "-9223372036854775808", "18446744073709551616", "1700000000", "1700000100", "1.7000001e9", "253402300799", "253402300800",
        "00", "1.", ".5", "+1", "NaN", #""""#, #""a""#, #""\u0000""#, #""\ud83d\ude00""#, #""\ud800""#, #""\/\b\f\n\r\t\"\\""#,
        "\"\u{e9}\"",
        "\"\u{feff}\"", "[]", "{}", "[[]]", #"{"":0}"#, #"[null,"a",1]"#,
    ]

    /// One to four changes.
    public func mutate(_ text: [UInt8], limit: Int, _ chance: inout Chance) -> [UInt8] {
        var text = text
        for _ in 0...chance.number(below: 4) {
            let changed = changed(text, &chance)
            if changed.count <= limit { text = changed }
        }
        return text
    }

    private func changed(_ text: [UInt8], _ chance: inout Chance) -> [UInt8] {
        let spans = JSONSpans(text).values
        guard !spans.isEmpty, chance.number(below: 12) > 0 else { return Self.bytes(text, 0..<text.count) }
        let place = chance.one(of: spans)
        switch chance.number(below: 11) {
        case 0: return text.replacing(place.range, by: Array(chance.one(of: values).utf8))
        case 1: return text.replacing(place.range, by: Array(text[chance.one(of: spans).range]))
        case 2: return text.replacing(place.member.upperBound..<place.member.upperBound, by: comma + Array(text[place.member]))
        case 3: return Self.without(place.member, in: text)
        case 4: return text.replacing(place.member.upperBound..<place.member.upperBound, by: comma + member(&chance))
        case 5: return place.name.map { text.replacing($0, by: quoted(chance.one(of: names))) } ?? text
        case 6: return text.replacing(place.range, by: Self.wrapped(Array(text[place.range]), &chance))
        case 7: return Self.escaped(text, place.name ?? place.range, &chance)
        case 8:
            let start = place.member.lowerBound
            return text.replacing(start..<start, by: [chance.one(of: [0x20, 0x09, 0x0a, 0x0d, 0x0b])])
        case 9: return Self.grown(text, place.range, &chance)
        default: return Self.bytes(text, place.range)
        }
    }

    private var comma: [UInt8] { [UInt8(ascii: ",")] }

    private func quoted(_ text: String) -> [UInt8] { Array("\"\(text)\"".utf8) }

    private func member(_ chance: inout Chance) -> [UInt8] {
        quoted(chance.one(of: names)) + [UInt8(ascii: ":")] + Array(chance.one(of: values).utf8)
    }

    /// Without a member or an element, and without the comma beside it.
    private static func without(_ range: Range<Int>, in text: [UInt8]) -> [UInt8] {
        var range = range
        if text[range.upperBound...].first == UInt8(ascii: ",") {
            range = range.lowerBound..<range.upperBound + 1
        } else if text[..<range.lowerBound].last == UInt8(ascii: ",") {
            range = range.lowerBound - 1..<range.upperBound
        }
        return text.replacing(range, by: [])
    }

    /// The value in containers, up to twenty deep.
    private static func wrapped(_ value: [UInt8], _ chance: inout Chance) -> [UInt8] {
        let depth = chance.number(below: 4) == 0 ? chance.number(below: 20) : 1
        let (open, close) = chance.number(below: 2) == 0 ? ("[", "]") : (#"{"a":"#, "}")
        return Array(String(repeating: open, count: depth).utf8) + value + Array(String(repeating: close, count: depth).utf8)
    }

    /// One character of a string as `\u00XX`, which has the same meaning.
    private static func escaped(_ text: [UInt8], _ range: Range<Int>, _ chance: inout Chance) -> [UInt8] {
        guard range.count > 2, text[range.lowerBound] == UInt8(ascii: "\"") else { return text }
        let place = range.lowerBound + 1 + chance.number(below: range.count - 2)
        guard text[place] >= 0x20, text[place] < 0x7f, text[place] != UInt8(ascii: "\\") else { return text }
        let digits = String(text[place], radix: 16, uppercase: chance.number(below: 2) == 0)
        return text.replacing(place..<place + 1, by: Array("\\u00\(digits)".utf8))
    }

    /// The inside of a string or the digits of a number, repeated: towards the limits.
    private static func grown(_ text: [UInt8], _ range: Range<Int>, _ chance: inout Chance) -> [UInt8] {
        guard range.count > 2 else { return text }
        let middle = range.lowerBound + 1..<range.upperBound - 1
        let copies = 1 + chance.number(below: 1 << chance.number(below: 8))
        return text.replacing(middle, by: Array(repeatElement(text[middle], count: copies).joined()))
    }

    /// libFuzzer's own change of a part, which also takes words of the dictionary and of comparisons that it has seen.
    public static func bytes(_ text: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var part = Array(text[range]), room = part.count + 64
        part += [UInt8](repeating: 0, count: 64)
        room = part.withUnsafeMutableBufferPointer { LLVMFuzzerMutate($0.baseAddress, range.count, room) }
        return text.replacing(range, by: Array(part[..<room]))
    }
}

extension [UInt8] {
    func replacing(_ range: Range<Int>, by bytes: [UInt8]) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(range, with: bytes)
        return copy
    }
}
