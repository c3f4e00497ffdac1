import CommandProgram

/// A moving line on a terminal for a long batch; nothing in a pipe, and nothing where the terminal shows the verdicts themselves.
struct BatchProgress {
    /// The size of the input in bytes, if it is known.
    private let size: Int?
    private let isShown: Bool
    private let clock = ContinuousClock()
    /// A short batch shows nothing.
    private var next = ContinuousClock.now + .seconds(1)
    private var isDrawn = false

    init(size: Int?, isQuiet: Bool) {
        self.size = size
        isShown = !isQuiet && Terminal.error.isTerminal && !Terminal.output.isTerminal
    }

    mutating func note(lines counts: OutcomeCounts, bytes: Int) {
        guard isShown, clock.now >= next else { return }
        next = clock.now + .milliseconds(200)
        isDrawn = true
        let refused = counts.refused.values.reduce(0, +)
        let part = size.map { "\($0 > 0 ? min(100, bytes * 100 / $0) : 100) %, " } ?? ""
        Terminal.error.write("\r\(part)\(counts.valid + refused) tokens, \(refused) refused\u{1b}[K")
    }

    /// Removes the line.
    mutating func end() {
        if isDrawn { Terminal.error.write("\r\u{1b}[K") }
        isDrawn = false
    }
}
