/// Reads the regular forms of a regular expression: literals, classes, groups, alternatives, repetition, `^` and `$`. Any other form gives
/// nil.
struct MobilePatternParser {
    private var rest: ArraySlice<UInt8>
    private var depth = 0
    private static let deepest = 16
    /// Larger than any text.
    private static let largestCount = 64

    init(_ pattern: String) { rest = Array(pattern.utf8)[...] }

    mutating func whole() -> PatternNode? {
        guard let node = alternatives(), rest.isEmpty else { return nil }
        return node
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func alternatives() -> PatternNode? {
        guard depth < Self.deepest else { return nil }
        depth += 1
        defer { depth -= 1 }
        var choices: [PatternNode] = []
        repeat {
            guard let sequence = sequence() else { return nil }
            choices.append(sequence)
        } while take("|")
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func sequence() -> PatternNode? {
        var nodes: [PatternNode] = []
        while let byte = rest.first, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            guard let atom = atom(), let node = repetition(of: atom) else { return nil }
            nodes.append(node)
        }
        return .sequence(nodes)
    }

    private mutating func atom() -> PatternNode? {
        guard let byte = rest.popFirst() else { return nil }
        switch Character(UnicodeScalar(byte)) {
        case "^": return .start
        case "$": return .end
        case ".": return .set(.anything)
        case "(": return group()
        case "[": return characterClass().map { .set($0) }
        case "\\": return escape().map { .set($0) }
        case "*", "+", "?", "{", "}", "]": return nil
        default: return .set(ASCIISet([byte]))
        }
    }

    /// A group, capturing or not. `(?=`, `(?!`, `(?<`, `(?>` and flags are refused.
    private mutating func group() -> PatternNode? {
        if take("?") { guard take(":") else { return nil } }
        guard let node = alternatives(), take(")") else { return nil }
        return node
    }

    /// Lazy and greedy repetition match the same whole texts. Possessive repetition is refused.
    private mutating func repetition(of atom: PatternNode) -> PatternNode? {
        guard let (least, most) = count() else { return rest.first.map(Self.isCount) == true ? nil : atom }
        if take("?") {}
        guard !(rest.first.map(Self.isCount) ?? false) else { return nil }
        if case .start = atom { return nil }
        if case .end = atom { return nil }
        return .repeated(atom, least: least, most: most)
    }

    private static func isCount(_ byte: UInt8) -> Bool { "*+?{".utf8.contains(byte) }

    /// A repetition count; nil, with nothing read, if there is none here.
    private mutating func count() -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        let before = rest
        guard take("{"), let least = number() else {
            rest = before
            return nil
        }
        if take("}") { return (least, least) }
        if take(",") {
            if take("}") { return (least, nil) }
            if let most = number(), most >= least, take("}") { return (least, most) }
        }
        rest = before
        return nil
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { ASCIISet.digits.contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)), number <= Self.largestCount else { return nil }
        rest = rest.dropFirst(digits.count)
        return number
    }

    private mutating func escape() -> ASCIISet? {
        guard let byte = rest.popFirst() else { return nil }
        switch Character(UnicodeScalar(byte)) {
        case "d": return .digits
        case "D": return ASCIISet.digits.inverted
        case "w": return .word
        case "W": return ASCIISet.word.inverted
        case "s": return .space
        case "S": return ASCIISet.space.inverted
        // Other escaped letters and digits have a meaning: a reference, a boundary, a property.
        default: return ASCIISet.word.contains(byte) ? nil : ASCIISet([byte])
        }
    }

    private mutating func characterClass() -> ASCIISet? {
        let isInverted = take("^")
        var set = ASCIISet()
        var isFirst = true
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "]"), !isFirst { return isInverted ? set.inverted : set }
            isFirst = false
            // Nested sets, as in ICU.
            guard byte != UInt8(ascii: "["), !(byte == UInt8(ascii: "&") && rest.first == byte) else { return nil }
            guard byte != UInt8(ascii: "\\") else {
                guard let escaped = escape() else { return nil }
                set.formUnion(escaped)
                continue
            }
            guard let end = rangeEnd() else {
                set.insert(byte)
                continue
            }
            guard end >= byte else { return nil }
            set.formUnion(ASCIISet(byte...end))
        }
        return nil
    }

    /// The end of a range, if a hyphen starts one here.
    private mutating func rangeEnd() -> UInt8? {
        guard rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first, !"]\\[".utf8.contains(end) else { return nil }
        rest = rest.dropFirst(2)
        return end
    }
}
