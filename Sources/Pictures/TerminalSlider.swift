/// The slider on a terminal: the piece is moved over the picture with the arrow keys.
package struct TerminalSlider {
    /// What the user decided.
    package enum Answer: Equatable, Sendable {
        /// The left edge of the piece, in pixels.
        case place(Int)
        case newPicture
        case cancelled
    }

    /// The columns below which a column is more pixels than the answer may be off.
    package static let leastColumns = 60

    let background: Picture
    let piece: Picture
    let columns: Int
    let colours: TerminalPicture.Colours
    /// The next bytes that are typed; empty where the input has ended.
    let read: () -> [UInt8]
    let write: (String) -> Void

    package init(
        background: Picture, piece: Picture, columns: Int, colours: TerminalPicture.Colours, read: @escaping () -> [UInt8],
        write: @escaping (String) -> Void
    ) {
        self.background = background
        self.piece = piece
        self.columns = columns
        self.colours = colours
        self.read = read
        self.write = write
    }

    /// Draws, moves and redraws until the user decides. The terminal gives keys one by one, without echo.
    package func run() -> Answer {
        var x = 0
        var typed: [UInt8] = []
        draw(x, isFirst: true)
        while true {
            let more = read()
            guard !more.isEmpty else { return .cancelled }
            typed += more
            for key in Key.taken(from: &typed) {
                switch key {
                case .left(let step): x = max(x - step, 0)
                case .right(let step): x = min(x + step, background.width - piece.width)
                case .check: return .place(x)
                case .newPicture: return .newPicture
                case .cancel: return .cancelled
                }
            }
            draw(x, isFirst: false)
        }
    }

    private func draw(_ x: Int, isFirst: Bool) {
        let lines = TerminalPicture(background.overlaid(with: piece, at: x), columns: columns, colours: colours).lines
        let up = isFirst ? "" : "\u{1b}[\(lines.count + 1)A"
        let help = "x = \(x)   \u{2190} \u{2192} 4 px   , . 1 px   Enter checks   r new picture"
        write(up + lines.map { "\r\($0)\n" }.joined() + "\r\u{1b}[2K\(help)\n")
    }
}

extension TerminalSlider {
    /// What a key means.
    private enum Key {
        case left(Int)
        case right(Int)
        case check
        case newPicture
        case cancel

        /// Takes the keys from what was typed; others mean nothing. The beginning of one stays: a read may end within it.
        static func taken(from typed: inout [UInt8]) -> [Key] {
            var keys: [Key] = []
            var rest = typed[...]
            while let first = rest.first {
                if let (sequence, key) = sequences.first(where: { rest.starts(with: $0.0) }) {
                    keys.append(key)
                    rest = rest.dropFirst(sequence.count)
                } else if first == 0x1b, isUnfinished(rest) {
                    break
                } else if first == 0x1b, rest.dropFirst().first == UInt8(ascii: "[") {
                    // Another function key: up to its final letter.
                    rest = rest.dropFirst(2).drop { !(0x40...0x7e).contains($0) }.dropFirst()
                } else {
                    rest = rest.dropFirst()
                }
            }
            typed = Array(rest)
            return keys
        }

        /// Whether a sequence that begins with Escape is still without its final letter.
        private static func isUnfinished(_ sequence: ArraySlice<UInt8>) -> Bool {
            switch sequence.dropFirst().first {
            case nil: true
            case UInt8(ascii: "["): !sequence.dropFirst(2).contains { (0x40...0x7e).contains($0) }
            case UInt8(ascii: "O"): sequence.count == 2
            default: false
            }
        }

        private static let sequences: [([UInt8], Key)] = [
            (text("\u{1b}[1;2D"), .left(1)), (text("\u{1b}[1;2C"), .right(1)), (text("\u{1b}[D"), .left(4)), (text("\u{1b}[C"), .right(4)),
            (text("\u{1b}OD"), .left(4)), (text("\u{1b}OC"), .right(4)), (text(","), .left(1)), (text("."), .right(1)),
            (text("\r"), .check),
            (text("\n"), .check), (text("r"), .newPicture), (text("q"), .cancel), (text("\u{3}"), .cancel),
        ]

        private static func text(_ typed: String) -> [UInt8] { Array(typed.utf8) }
    }
}
