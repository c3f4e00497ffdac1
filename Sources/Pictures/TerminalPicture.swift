/// A picture in half blocks: one character shows two pixels, one above the other.
package struct TerminalPicture {
    package enum Colours: Sendable {
        /// 24 bits a channel triple, where `COLORTERM` says so.
        case full
        /// The sixteen colours that every terminal has.
        case sixteen
    }

    private let picture: Picture
    private let columns: Int
    private let colours: Colours

    package init(_ picture: Picture, columns: Int, colours: Colours) {
        self.picture = picture
        self.columns = min(columns, picture.width)
        self.colours = colours
    }

    /// How many pixels of the picture a column is wide.
    var scale: Double { Double(picture.width) / Double(columns) }

    /// The lines, each ending in the terminal's own colours.
    package var lines: [String] {
        let rows = Int(Double(picture.height) / scale / 2)
        return (0..<rows).map { row in
            (0..<columns).map { block(average($0, 2 * row), average($0, 2 * row + 1)) }.joined() + "\u{1b}[0m"
        }
    }

    private func block(_ upper: Picture.Pixel, _ lower: Picture.Pixel) -> String {
        switch colours {
        case .full:
            "\u{1b}[38;2;\(upper.red);\(upper.green);\(upper.blue);48;2;\(lower.red);\(lower.green);\(lower.blue)m\u{2580}"
        case .sixteen: "\u{1b}[\(Self.nearest(upper, 30, 90));\(Self.nearest(lower, 40, 100))m\u{2580}"
        }
    }

    /// The mean of the pixels that half a character stands for.
    private func average(_ column: Int, _ row: Int) -> Picture.Pixel {
        func range(_ index: Int, _ limit: Int) -> Range<Int> {
            let start = min(Int(Double(index) * scale), limit - 1)
            return start..<min(max(Int(Double(index + 1) * scale), start + 1), limit)
        }
        var (red, green, blue, count) = (0, 0, 0, 0)
        for y in range(row, picture.height) {
            for x in range(column, picture.width) {
                let pixel = picture[x, y]
                (red, green, blue, count) = (red + Int(pixel.red), green + Int(pixel.green), blue + Int(pixel.blue), count + 1)
            }
        }
        return Picture.Pixel(red: UInt8(red / count), green: UInt8(green / count), blue: UInt8(blue / count))
    }

    /// The code of the nearest of eight colours, dim or bright.
    private static func nearest(_ pixel: Picture.Pixel, _ dim: Int, _ bright: Int) -> Int {
        let channels = [pixel.red, pixel.green, pixel.blue].map(Int.init)
        let most = channels.max() ?? 0
        let bits = channels.enumerated().reduce(0) { $0 | ($1.element * 3 > most * 2 && most > 40 ? 1 << $1.offset : 0) }
        return (most > 150 ? bright : dim) + bits
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
}
