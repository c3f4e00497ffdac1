internal import Pictures

/// A way to guess the slider's x without comparing piece and picture pixel by pixel. A challenge must resist it.
enum Shortcut: String, CaseIterable, Sendable {
    case leftmost, centre, darkestColumns, darkestWindow, mostEdges, mostEdgesAnywhere, sameColour, sameColourDarkened
    // Shortcuts that know the outline, from the piece's opacity.
    case brightOutsideDarkInside, differentAcrossOutline, edgesAlongOutline, ringAgainstInterior, ringAgainstInteriorColour, darkLine
    case evenInterior, colourOfSurroundings
    // Shortcuts that find the holes by their outline, and choose one by the piece's colours.
    case holeOfPieceColour, holeOfPieceContrast

    /// The possible places of a piece in the protocol.
    static let places = 100..<263

    func guess(_ background: Picture, _ piece: Picture) -> Int {
        let rows = Self.rows(piece)
        return switch self {
        case .leftmost: 105
        case .centre: 181
        case .darkestColumns: Self.least { Self.mean(background, $0, 0..<background.height, Self.lightness) }
        case .darkestWindow: Self.least { Self.mean(background, $0, rows, Self.lightness) }
        case .mostEdges: Self.least { -Self.edges(background, $0, rows) }
        case .mostEdgesAnywhere: Self.least { -Self.edges(background, $0, 0..<background.height) }
        case .sameColour: Self.least { Self.difference(background, piece, $0, 1) }
        case .sameColourDarkened: Self.least { Self.difference(background, piece, $0, 0.7) }
        default: OutlineShortcut(background, piece).guess(self)
        }
    }

    static func least(_ cost: (Int) -> Double) -> Int {
        let costs = places.map(cost)
        return places.lowerBound + (costs.indices.min { costs[$0] < costs[$1] } ?? 0)
    }

    static func lightness(_ pixel: Picture.Pixel) -> Double {
        0.3 * Double(pixel.red) + 0.59 * Double(pixel.green) + 0.11 * Double(pixel.blue)
    }

    /// The rows of the piece, which every client sees.
    private static func rows(_ piece: Picture) -> Range<Int> {
        let rows = (0..<piece.height).filter { y in (0..<piece.width).contains { piece[$0, y].opacity > 0 } }
        return (rows.first ?? 0)..<(rows.last ?? 0) + 1
    }

    private static func mean(_ picture: Picture, _ x: Int, _ rows: Range<Int>, _ value: (Picture.Pixel) -> Double) -> Double {
        let sum = rows.reduce(0) { sum, y in (x..<x + 47).reduce(sum) { $0 + value(picture[$1, y]) } }
        return sum / Double(rows.count * 47)
    }

    private static func edges(_ picture: Picture, _ x: Int, _ rows: Range<Int>) -> Double {
        rows.dropLast().reduce(0) { sum, y in
            (x..<x + 46).reduce(sum) { sum, x in
                let here = lightness(picture[x, y])
                let steps = abs(lightness(picture[x + 1, y]) - here) + abs(lightness(picture[x, y + 1]) - here)
                return sum + (steps > 30 ? 1 : 0)
            }
        }
    }

    private static func difference(_ background: Picture, _ piece: Picture, _ x: Int, _ factor: Double) -> Double {
        var sums = (0.0, 0.0, 0.0)
        var count = 0.0
        for y in rows(piece) {
            for column in 0..<piece.width where piece[column, y].opacity > 127 {
                let (a, b) = (background[x + column, y], piece[column, y])
                sums.0 += Double(a.red) - factor * Double(b.red)
                sums.1 += Double(a.green) - factor * Double(b.green)
                sums.2 += Double(a.blue) - factor * Double(b.blue)
                count += 1
            }
        }
        return (abs(sums.0) + abs(sums.1) + abs(sums.2)) / count
    }
}
