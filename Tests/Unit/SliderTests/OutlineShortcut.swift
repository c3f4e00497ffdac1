internal import Pictures

/// Guesses from the background along and within the piece's outline.
struct OutlineShortcut {
    private let background: Picture
    private let piece: Picture
    private let outline: Outline

    init(_ background: Picture, _ piece: Picture) {
        self.background = background
        self.piece = piece
        outline = Outline(piece)
    }

    func guess(_ shortcut: Shortcut) -> Int {
        switch shortcut {
        case .brightOutsideDarkInside: Shortcut.least { light(outline.inside, $0) - light(outline.outside, $0) }
        case .differentAcrossOutline: Shortcut.least { x in -outline.steps.reduce(0) { $0 + abs(step($1, x)) } }
        case .edgesAlongOutline: Shortcut.least { x in -Double(outline.steps.count { step($0, x) > 10 }) }
        case .ringAgainstInterior: Shortcut.least { light(outline.interior, $0) - light(outline.surroundings, $0) }
        case .ringAgainstInteriorColour: Shortcut.least { -distance(hue(outline.interior, $0), hue(outline.surroundings, $0)) }
        case .darkLine:
            Shortcut.least { 2 * light(outline.inside, $0) - light(outline.outside, $0) - light(outline.interior, $0) }
        case .evenInterior: Shortcut.least { spread(background, outline.interior, $0) }
        case .colourOfSurroundings: Shortcut.least { distance(colour(background, outline.surroundings, $0), pieceColour) }
        case .holeOfPieceColour: best { distance(colour(background, outline.interior, $0), pieceColour) }
        default: best { abs(spread(background, outline.interior, $0) - spread(piece, outline.interior, 0)) }
        }
    }

    /// The best of the eight places with the most visible outlines.
    private func best(_ cost: (Int) -> Double) -> Int {
        let steps = Shortcut.places.map { (x: $0, step: light(outline.outside, $0) - light(outline.inside, $0)) }
        let shown = steps.sorted { $0.step > $1.step }
        let holes = shown.reduce(into: [Int]()) { holes, next in
            if holes.count < 8, holes.allSatisfy({ abs($0 - next.x) > 8 }) { holes.append(next.x) }
        }
        let costs = holes.map(cost)
        return holes[costs.indices.min { costs[$0] < costs[$1] } ?? 0]
    }

    private var pieceColour: [Double] { colour(piece, outline.interior, 0) }

    private func pixel(_ picture: Picture, _ point: Outline.Point, _ x: Int) -> Picture.Pixel {
        picture[min(point.x + x, picture.width - 1), point.y]
    }

    private func light(_ points: [Outline.Point], _ x: Int) -> Double {
        points.reduce(0) { $0 + Shortcut.lightness(pixel(background, $1, x)) } / Double(points.count)
    }

    /// How much darker the inside is than the outside.
    private func step(_ step: (out: Outline.Point, within: Outline.Point), _ x: Int) -> Double {
        Shortcut.lightness(pixel(background, step.out, x)) - Shortcut.lightness(pixel(background, step.within, x))
    }

    private func colour(_ picture: Picture, _ points: [Outline.Point], _ x: Int) -> [Double] {
        let pixels = points.map { pixel(picture, $0, x) }
        return [\Picture.Pixel.red, \.green, \.blue].map { channel in
            pixels.reduce(0) { $0 + Double($1[keyPath: channel]) } / Double(points.count)
        }
    }

    private func hue(_ points: [Outline.Point], _ x: Int) -> [Double] {
        let colour = colour(background, points, x)
        return colour.map { $0 / (colour.reduce(1, +)) }
    }

    private func distance(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + abs($1.0 - $1.1) } }

    /// The standard deviation of the lightness.
    private func spread(_ picture: Picture, _ points: [Outline.Point], _ x: Int) -> Double {
        let values = points.map { Shortcut.lightness(pixel(picture, $0, x)) }
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
    }
}
