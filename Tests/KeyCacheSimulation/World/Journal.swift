import JWKSCache

/// What has happened: all of it is counted, the last of it is kept to be printed.
struct Journal {
    private var recent: [Line] = []
    private var position = 0
    private(set) var events = 0
    private let isTraced: Bool
    static let length = 30

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
        if recent.count < Self.length { recent.append(line) } else { recent[position] = line }
        position = (position + 1) % Self.length
    }

    var last: [Line] { recent.count < Self.length ? recent : Array(recent[position...] + recent[..<position]) }
}

extension Journal.Line: CustomStringConvertible {
    var description: String {
        [at.clock, "\(what)", number.map { "#\($0)" }, name, remark].compactMap { $0 }.joined(separator: "  ")
    }
}

extension Duration {
    /// Hours, minutes, seconds and microseconds.
    var clock: String {
        let seconds = components.seconds, fraction = components.attoseconds / 1_000_000_000_000
        let digits = String(1_000_000 + abs(fraction)).dropFirst()
        return "\(seconds / 3_600):\(String(100 + seconds / 60 % 60).dropFirst()):\(String(100 + seconds % 60).dropFirst()).\(digits)"
    }
}
