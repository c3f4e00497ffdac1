import CJansson
import JWTCore
import Testing

/// Comparison with jansson, an independent implementation: both accept the same texts.
///
/// The known differences: jansson stores numbers, so it refuses those beyond a double; it refuses names with U+0000, which C cannot look
/// up; and 2.14 overlooks a NUL directly after a number or a literal. Depth and size limits are only ours; none of these texts reaches
/// them.
struct JSONDifferentialTests {
    @Test(arguments: 0..<16 as Range<UInt64>)
    func generatedTextsAreReadAlike(seed: UInt64) {
        var generator = JSONTextGenerator(seed: seed)
        let disagreements = (0..<500).compactMap { _ in disagreement(generator.document()) }
        #expect(disagreements == [])
    }

    @Test(arguments: 100..<132 as Range<UInt64>)
    func mutatedTextsAreReadAlike(seed: UInt64) {
        var generator = JSONTextGenerator(seed: seed)
        let texts = (0..<1_000).map { _ in generator.mutated(generator.document()) }
        #expect(texts.compactMap(disagreement) == [])
        // Both accepted and refused texts occur.
        #expect((50...950).contains(texts.count { reading($0, limits: .roomy) == "valid" }))
    }

    /// The two verdicts and the text, if they differ beyond the known differences.
    private func disagreement(_ text: [UInt8]) -> String? {
        let ours = reading(text, limits: .roomy), janssons = isAcceptedByJansson(text)
        let expected = ours == "valid" && !isBeyondJansson(text)
        if text.contains(0), ours != "valid" { return nil }
        let shown = String(decoding: text, as: UTF8.self).debugDescription
        return janssons == expected ? nil : "\(ours) but jansson \(janssons ? "accepts" : "refuses"): \(shown)"
    }

    private func isAcceptedByJansson(_ text: [UInt8]) -> Bool {
        var position = 0
        var duplicate: Int32 = 0
        return unsafe text.withUnsafeBufferPointer { bytes in
            // SAFETY: char and UInt8 are layout-compatible; jansson reads `count` bytes and keeps no pointer to them.
            let start = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            guard let tree = unsafe cjansson_parse(start, bytes.count, &position, &duplicate) else { return false }
            unsafe cjansson_release(tree)
            return true
        }
    }

    private func isBeyondJansson(_ text: [UInt8]) -> Bool {
        (try? withJSON(String(decoding: text, as: UTF8.self), limits: .roomy) { isBeyondJansson($0) }) ?? false
    }

    private func isBeyondJansson(_ value: borrowing JSONValue) -> Bool {
        if let number = value.number { return number.double == nil }
        var isBeyond = false
        value.forEachElement { isBeyond = isBeyond || isBeyondJansson($0) }
        value.forEachMember { name, member in isBeyond = isBeyond || name.utf8.contains(0) || isBeyondJansson(member) }
        return isBeyond
    }
}

/// Generates random JSON texts and damages them at random.
private struct JSONTextGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func document() -> [UInt8] { Array((space() + value(depth: 0) + space()).utf8) }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 5 ? 10 : 7), using: &random) {
        case 0, 1: number()
        case 2, 3, 4: "\"\(string())\""
        case 5, 6: pick(["true", "false", "null"])
        case 7: list("[", "]", depth) { $0.value(depth: depth + 1) }
        default: list("{", "}", depth) { "\"\($0.string())\"\($0.space()):\($0.space())\($0.value(depth: depth + 1))" }
        }
    }

    private mutating func list(_ opening: String, _ closing: String, _ depth: Int, _ element: (inout Self) -> String) -> String {
        let count = Int.random(in: 0...5, using: &random)
        let elements = (0..<count).map { _ in space() + element(&self) + space() }
        return opening + (elements.isEmpty ? space() : elements.joined(separator: ",")) + closing
    }

    private mutating func number() -> String {
        let whole = pick(["0", "1", "9", "10", "1700000000", "9223372036854775807", "9223372036854775808", "123456789012345678901"])
        let fraction = pick(["", "", "", ".0", ".5", ".000000001"])
        let exponent = pick(["", "", "", "e0", "E5", "e+12", "e-7", "e308", "e400", "e-400", "E+00009"])
        return pick(["", "-"]) + whole + fraction + exponent
    }

    private mutating func string() -> String {
        let pieces = [
            "a", "b", "alg", "é", "€", "😀", "\u{7f}", "\u{10ffff}", "\\n", #"\""#, #"\\"#, "\\/", "\\b", "\\u0061", "\\u0000", "\\u00e9",
            "\\uD83D\\uDE00", "\\udbff\\udfff", "\\uffff", "/", "'", " ",
        ]
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in pick(pieces) }.joined()
    }

    private mutating func space() -> String { pick(["", "", "", "", " ", "\n", "\t", "\r", "  "]) }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    /// One to three bytes changed, removed, inserted or repeated.
    mutating func mutated(_ text: [UInt8]) -> [UInt8] {
        let letters = Array("{}[],:\"\\u0dDeE19-+.tfn /\u{0}\u{1f}\u{b}".utf8) + [0x80, 0xbf, 0xc3, 0xed, 0xa0, 0xf4, 0xff]
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &random) where !text.isEmpty {
            let position = Int.random(in: 0..<text.count, using: &random)
            let letter = letters.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<6, using: &random) {
            case 0: text[position] = letter
            case 1: text.insert(letter, at: position)
            case 2: text.remove(at: position)
            case 3: text[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4: text.insert(contentsOf: text[position..<min(position + 6, text.count)], at: position)
            default: text.removeLast(min(text.count - 1, Int.random(in: 0...3, using: &random)))
            }
        }
        return text.isEmpty ? [letters[0]] : text
    }
}
