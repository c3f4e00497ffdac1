/// The name that a mistyped one was meant to be.
enum Suggestion {
    /// Names that other tools use for the same option.
    private static let synonyms = [
        "--alg": "--algorithm", "--aud": "--audience", "--iss": "--issuer", "--jwks": "--keys", "--jwk": "--key", "--typ": "--type",
        "--skew": "--leeway", "--time": "--at", "--client-id": "--client", "--cacert": "--ca-file", "--database": "--db",
    ]

    /// The synonym of `name`, or the shortest name that begins with it, or the name that needs the fewest edits: at most a third of its
    /// characters.
    static func nearest(to name: String, among names: [String]) -> String? {
        if let synonym = synonyms[name], names.contains(synonym) { return synonym }
        if name.count > 3, let whole = names.filter({ $0.hasPrefix(name) }).min(by: { $0.count < $1.count }) { return whole }
        let (typed, most) = (Array(name.unicodeScalars), max(1, name.drop { $0 == "-" }.count / 3))
        let near = names.map { (name: $0, edits: edits(typed, Array($0.unicodeScalars))) }.filter { $0.edits <= most }
        return near.min { $0.edits < $1.edits }?.name
    }

    /// The number of insertions, deletions, replacements and exchanges of neighbours that make `a` into `b`. Names on a command line are
    /// short; a long argument is cut.
    private static func edits(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        let a = a.prefix(64)
        var beforeLast: [Int] = [], last = Array(0...b.count)
        for (row, typed) in a.enumerated() {
            var current = [row + 1]
            for (column, meant) in b.enumerated() {
                var least = min(last[column + 1] + 1, current[column] + 1, last[column] + (typed == meant ? 0 : 1))
                if row > 0, column > 0, typed == b[column - 1], a[row - 1] == meant { least = min(least, beforeLast[column - 1] + 1) }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[b.count]
    }
}
