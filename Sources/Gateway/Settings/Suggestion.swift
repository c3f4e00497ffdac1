/// The known name that a misspelt one is likely meant to be.
package enum Suggestion {
    /// The nearest of `names`, if at most a third of its letters differ, or else one that `text` begins with: `sub` for `subject`. Without
    /// regard to case, `-` and `_`.
    static func nearest(to text: String, in names: some Sequence<String>) -> String? {
        guard text.utf8.count <= longest else { return nil }
        let letters = plain(text)
        let ranked = names.map { (name: $0, distance: distance(letters, plain($0))) }
        guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
        if best.distance <= max(1, letters.count / 3) { return best.name }
        return names.filter { plain($0).count >= fewestLetters && letters.starts(with: plain($0)) }.max { $0.utf8.count < $1.utf8.count }
    }

    /// `; did you mean …?`, or nothing.
    package static func question(_ text: String, in names: some Sequence<String>) -> String {
        nearest(to: text, in: names).map { "; did you mean `\($0)`?" } ?? ""
    }

    private static let longest = 64
    /// A shorter beginning says nothing.
    private static let fewestLetters = 3

    private static func plain(_ text: String) -> [UInt8] {
        text.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }

    /// Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var rows = [Array(0...other.count)]
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, candidate) in other.enumerated() {
                var least = min(rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == candidate ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == candidate {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}
