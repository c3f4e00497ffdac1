import JWKSCache

/// The events of a run: all are counted, the last ones are kept for printing.
struct Journal {
    /// The last lines.
    private(set) var last: [Line] = []
    private(set) var events = 0
    private let isTraced: Bool

    struct Line {
        let at: Duration
        let what: StaticString
        let number: UInt64?
        let name: String?
        let remark: String?
    }

    init(isTraced: Bool) { self.isTraced = isTraced }

    mutating func note(_ at: Duration, _ what: StaticString, _ number: UInt64? = nil, _ name: String? = nil, _ remark: String? = nil) {
        events += 1
        let line = Line(at: at, what: what, number: number, name: name, remark: remark)
        if isTraced { print(line) }
        if last.count == 30 { last.removeFirst() }
        last.append(line)
    }
}

extension Journal.Line: CustomStringConvertible {
    var description: String {
        [at.clock, "\(what)", number.map { "#\($0)" }, name, remark].compactMap { $0 }.joined(separator: "  ")
    }
}

extension Duration {
    /// The wall clock at this time of a run, in seconds since 1970.
    var date: Int64 { 1_790_000_000 + components.seconds }

    /// Hours, minutes, seconds and microseconds.
    var clock: String {
        let seconds = components.seconds, fraction = components.attoseconds / 1_000_000_000_000
        let digits = String(1_000_000 + abs(fraction)).dropFirst()
        return "\(seconds / 3_600):\(String(100 + seconds / 60 % 60).dropFirst()):\(String(100 + seconds % 60).dropFirst()).\(digits)"
    }
}
