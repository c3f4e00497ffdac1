/// A part of a picture on a terminal, in half blocks: one character shows two pixels, one above the other.
struct TerminalPicture {
    /// The maximum width of a column, in pixels. Larger columns would make the texture unrecognisable.
    private static let coarsest = 2.0

    private let picture: Picture
    private let colours: TerminalColours
    /// The width of a column, in pixels of the picture.
    private let scale: Double
    private let columns: Int
    private let lineCount: Int
    private let left: Double
    private let top: Double

    /// The part of `picture` around `point` that fits `columns` by `lines` characters.
    init(_ picture: Picture, around point: (x: Int, y: Int), columns: Int, lines: Int, colours: TerminalColours) {
        self.picture = picture
        self.colours = colours
        scale = min(max(Double(picture.width) / Double(columns), 1), Self.coarsest)
        self.columns = min(columns, Int(Double(picture.width) / scale))
        lineCount = min(lines, Int(Double(picture.height) / scale / 2))
        left = Self.start(point.x, Double(self.columns) * scale, picture.width)
        top = Self.start(point.y, Double(2 * lineCount) * scale, picture.height)
    }

    /// The start of a part of this size with `middle` in its centre, or as near to it as the whole allows.
    private static func start(_ middle: Int, _ part: Double, _ whole: Int) -> Double {
        min(max(Double(middle) - part / 2, 0), Double(whole) - part).rounded(.down)
    }

    /// The lines; each ends by restoring the terminal's colours.
    var lines: [String] {
        (0..<lineCount).map { line in
            (0..<columns).map { column in
                colours.block(average(column, 2 * line), average(column, 2 * line + 1), column: column, line: line)
            }
            .joined() + "\u{1b}[0m"
        }
    }

    /// The mean of the pixels under half a character.
    private func average(_ column: Int, _ row: Int) -> Picture.Pixel {
        func range(_ start: Double, _ index: Int, _ limit: Int) -> Range<Int> {
            let first = min(Int(start + Double(index) * scale), limit - 1)
            return first..<min(max(Int(start + Double(index + 1) * scale), first + 1), limit)
        }
        var (red, green, blue, count) = (0, 0, 0, 0)
        for y in range(top, row, picture.height) {
            for x in range(left, column, picture.width) {
                let pixel = picture[x, y]
                (red, green, blue, count) = (red + Int(pixel.red), green + Int(pixel.green), blue + Int(pixel.blue), count + 1)
            }
        }
        return Picture.Pixel(red: UInt8(red / count), green: UInt8(green / count), blue: UInt8(blue / count))
    }
}

extension Picture {
    /// This picture with `piece` laid over it, its left edge at `x`.
    func overlaid(with piece: Picture, at x: Int) -> Picture {
        var pixels = pixels
        for row in 0..<min(height, piece.height) {
            for column in 0..<piece.width where 0..<width ~= x + column {
                let over = piece[column, row]
                let start = 4 * (row * width + x + column)
                for (offset, value) in [over.red, over.green, over.blue].enumerated() {
                    let (below, share) = (Int(pixels[start + offset]), Int(over.opacity))
                    pixels[start + offset] = UInt8((Int(value) * share + below * (255 - share)) / 255)
                }
            }
        }
        return Picture(width: width, height: height, pixels: pixels)
    }

    /// The middle of the lines that are not fully transparent.
    var visibleMiddle: Int {
        let rows = (0..<height).filter { y in (0..<width).contains { self[$0, y].opacity > 0 } }
        return ((rows.first ?? 0) + (rows.last ?? height)) / 2
    }
}
