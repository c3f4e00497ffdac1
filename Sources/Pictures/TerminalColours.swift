/// The colours that a terminal can show.
package enum TerminalColours: Sendable {
    /// 24 bits.
    case trueColour
    /// xterm's 256: a cube of 6 by 6 by 6 and 24 greys.
    case palette256
    /// The sixteen standard colours, dithered.
    case palette16

    /// - Parameters:
    ///   - colorterm: the environment's `COLORTERM`.
    ///   - term: the environment's `TERM`.
    package init(colorterm: String?, term: String?) {
        if ["truecolor", "24bit"].contains(colorterm) || term?.hasSuffix("-direct") == true {
            self = .trueColour
        } else {
            self = term?.hasSuffix("-256color") == true ? .palette256 : .palette16
        }
    }

    /// A half block: one character that shows two pixels, one above the other, at this place of the terminal.
    func block(_ upper: Picture.Pixel, _ lower: Picture.Pixel, column: Int, line: Int) -> String {
        switch self {
        case .trueColour:
            "\u{1b}[38;2;\(upper.red);\(upper.green);\(upper.blue);48;2;\(lower.red);\(lower.green);\(lower.blue)m\u{2580}"
        case .palette256: "\u{1b}[38;5;\(Self.nearest256(upper));48;5;\(Self.nearest256(lower))m\u{2580}"
        case .palette16:
            "\u{1b}[\(Self.nearest16(upper, column, 2 * line) + 30);\(Self.nearest16(lower, column, 2 * line + 1) + 40)m\u{2580}"
        }
    }

    /// The number of the nearest of xterm's colours 16 to 255. The first sixteen depend on the user's settings.
    private static func nearest256(_ pixel: Picture.Pixel) -> Int {
        let channels = pixel.channels
        let steps = channels.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
        let grey = min(max((channels.reduce(0, +) / 3 - 3) / 10, 0), 23)
        let cubeError = distance(channels, steps.map { $0 == 0 ? 0 : 55 + 40 * $0 })
        let greyError = distance(channels, [8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey])
        return greyError < cubeError ? 232 + grey : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    }

    /// The code of the nearest of sixteen colours, less 30: 0 to 7 dim, 60 to 67 bright.
    private static func nearest16(_ pixel: Picture.Pixel, _ column: Int, _ row: Int) -> Int {
        let threshold = thresholds[row % 4 * 4 + column % 4] * 6 - 45
        let channels = pixel.channels.map { $0 + threshold }
        let errors = sixteen.map { distance(channels, $0) }
        let nearest = errors.indices.min { errors[$0] < errors[$1] } ?? 0
        return nearest < 8 ? nearest : nearest + 52
    }

    private static func distance(_ a: [Int], _ b: [Int]) -> Int { zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }

    /// The order in which the cells of a 4 by 4 square turn from dark to light.
    private static let thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// xterm's values; other terminals differ slightly.
    private static let sixteen = [
        [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205], [229, 229, 229],
        [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255], [255, 0, 255], [0, 255, 255], [255, 255, 255],
    ]
}

extension Picture.Pixel {
    fileprivate var channels: [Int] { [Int(red), Int(green), Int(blue)] }
}
