/// The slider on a terminal: the arrow keys move the piece over the picture, and a picture larger than the terminal scrolls.
package struct TerminalSlider {
    /// The user's decision.
    package enum Answer: Equatable, Sendable {
        /// The left edge of the piece, in pixels.
        case place(Int)
        case newPicture
        case cancelled
    }

    /// Whether a terminal of this size is large enough to see where the piece belongs.
    package static func fits(columns: Int, rows: Int) -> Bool { columns >= 60 && rows >= 16 }

    private let background: Picture
    private let piece: Picture
    private let columns: Int
    private let lines: Int
    private let colours: TerminalColours
    private let read: () -> [UInt8]
    private let write: (String) -> Void

    /// - Parameters:
    ///   - columns: the width of the terminal, in characters.
    ///   - rows: its height.
    ///   - read: returns the next typed bytes; empty at the end of the input.
    package init(
        background: Picture, piece: Picture, columns: Int, rows: Int, colours: TerminalColours, read: @escaping () -> [UInt8],
        write: @escaping (String) -> Void
    ) {
        self.background = background
        self.piece = piece
        self.columns = columns
        // One line above tells why the picture is new, one shows the help, one the cursor.
        lines = rows - 3
        self.colours = colours
        self.read = read
        self.write = write
    }

    /// Draws, moves and redraws until the user decides. The terminal sends each key immediately, without echo.
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
        let middle = (x: x + piece.width / 2, y: piece.visibleMiddle)
        let lines = TerminalPicture(
            background.overlaid(with: piece, at: x), around: middle, columns: columns, lines: lines, colours: colours
        ).lines
        let up = isFirst ? "" : "\u{1b}[\(lines.count + 1)A"
        // In the narrowest terminal a longer text would take two lines.
        let help = "x = \(x)  \u{2190}\u{2192} 4  ,. 1 px  Enter checks  r new picture  q ends"
        write(up + lines.map { "\r\($0)\n" }.joined() + "\r\u{1b}[2K\(help)\n")
    }
}

extension TerminalSlider {
    /// The action of a key.
    private enum Key {
        case left(Int)
        case right(Int)
        case check
        case newPicture
        case cancel

        /// Takes the keys from the typed bytes; others have no effect. An incomplete sequence stays: a read may end within it.
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

        /// Whether a sequence that begins with Escape still lacks its final letter.
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
