import Gateway

/// A request from an input: its lines are method, host, target and fields. A byte from 0xf8 on stands for a token (``Samples/inserted``).
struct Question {
    let facts: RequestFacts

    init(_ input: [UInt8]) {
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Self.text)
        let fields = lines.dropFirst(3).map { line in
            let name = line.prefix { $0 != ":" }
            return Field(String(name), String(line.dropFirst(name.count + 1)))
        }
        facts = RequestFacts(
            method: lines[0], host: lines.count > 1 ? lines[1] : "", target: lines.count > 2 ? lines[2] : "", fields: fields)
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        for byte in line {
            if byte >= 0xf8 { bytes += Samples.inserted[Int(byte - 0xf8)].utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Every run of a token's characters, in fields and in the query, with and without percent-decoding: a reader who finds a token finds
    /// it among these.
    var runs: Set<[UInt8]> {
        let texts = facts.fields.map { Array($0.value.utf8) } + [Array(facts.target.utf8)]
        var runs: Set<[UInt8]> = []
        for text in texts + texts.map(Self.decoded) {
            for run in text.split(whereSeparator: { !Self.isOfToken($0) }) { runs.insert(Array(run)) }
        }
        return runs
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
    }

    /// The paths that lenient servers read: decoded once or twice, before or after dot segments are removed; backslashes separate, and
    /// parameters and empty segments are dropped.
    var paths: [[String]] {
        let path = Array(facts.target.utf8.prefix { $0 != UInt8(ascii: "?") }), once = Self.decoded(path)
        let early = Self.segments(path).joined(separator: "/")
        return [Self.segments(once), Self.segments(Self.decoded(once)), Self.segments(Self.decoded(Array(early.utf8)))]
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [], position = 0
        while position < text.count {
            let digits = text[position...].dropFirst().prefix(2)
            if text[position] == UInt8(ascii: "%"), digits.count == 2, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                position += 3
            } else {
                bytes.append(text[position])
                position += 1
            }
        }
        return bytes
    }

    private static func segments(_ path: [UInt8]) -> [String] {
        var segments: [String] = []
        for segment in path.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            let name = String(decoding: segment.prefix { $0 != UInt8(ascii: ";") && $0 != 0 }, as: UTF8.self)
            switch name {
            case "", ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(name)
            }
        }
        return segments
    }
}
