#if IDaaS
/// What is cut into a texture: the hole, and a decoy that is as dark but has another outline, at about the same height.
struct SliderScene {
    private static let block = SliderPicture.blockWidth

    private let hole: Placed
    private let decoy: Placed

    private struct Placed {
        let shape: JigsawShape
        let x: Int
        let top: Int
        /// What is left of the tone within, and what is added to it: a fixed relation to the piece would be found by its mean alone.
        let depth: Float
        let haze: Float
        /// How far the colour within leans to the other one.
        let lean: Float
    }

    init(x: Int, _ dice: inout Dice) {
        let top = dice.integer(in: 6...SliderPicture.height - Self.block - 6)
        let shape = JigsawShape(&dice)
        let depth = dice.float(in: 0.5...0.84)
        let haze = dice.float(in: 0...0.08)
        hole = Placed(shape: shape, x: x, top: top, depth: depth, haze: haze, lean: dice.float(in: -0.4...0.4))
        decoy = Placed(
            shape: shape.other(&dice), x: Self.decoyPlace(beside: x, &dice),
            top: min(max(top + dice.integer(in: -3...3), 0), SliderPicture.height - Self.block),
            depth: depth * dice.float(in: 0.76...0.94), haze: haze, lean: dice.float(in: -0.4...0.4))
    }

    /// Where a hole might be as well, and leaves this one whole.
    private static func decoyPlace(beside x: Int, _ dice: inout Dice) -> Int {
        let places = SliderPicture.places
        let left = max(x - block - 4 - places.lowerBound, 0)
        let right = max(places.upperBound - (x + block + 4), 0)
        let place = dice.integer(in: 0...left + right - 1)
        return place < left ? places.lowerBound + place : places.upperBound - right + place - left
    }

    /// Darkens hole and decoy, with the shadow that a cut has at its edge.
    func shade(_ canvas: inout Canvas) {
        for placed in [hole, decoy] {
            for row in 0..<Self.block {
                for column in 0..<Self.block {
                    let distance = placed.shape.distance(column, row)
                    let coverage = placed.shape.coverage(column, row)
                    guard coverage > 0 else { continue }
                    let rim = max(1 - abs(distance + 1) / 1.5, 0) * 0.12
                    let index = canvas.index(placed.x + column, placed.top + row)
                    let shaded = canvas.tone[index] * placed.depth * (1 - rim) + placed.haze
                    canvas.tone[index] += coverage * (shaded - canvas.tone[index])
                    canvas.tint[index] += coverage * placed.lean
                }
            }
        }
    }

    /// The texture within the hole's outline, with a light rim that people see.
    func piece(cutFrom canvas: Canvas, _ palette: Palette) -> [UInt8] {
        var png = PNGWriter(width: Self.block, height: SliderPicture.height, colours: .trueWithAlpha)
        let blank = [UInt8](repeating: 0, count: 4 * Self.block)
        for row in 0..<SliderPicture.height {
            let inner = row - hole.top
            png.append(0..<Self.block ~= inner ? line(inner, canvas, palette) : blank)
        }
        return png.finished()
    }

    private func line(_ row: Int, _ canvas: Canvas, _ palette: Palette) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(4 * Self.block)
        for column in 0..<Self.block {
            let distance = hole.shape.distance(column, row)
            let coverage = hole.shape.coverage(column, row)
            let rim = max(1 - abs(distance + 0.8) / 1.4, 0) * 0.55
            let index = canvas.index(hole.x + column, hole.top + row)
            let colour = palette.colour(tone: canvas.tone[index] * (1 - rim) + rim, tint: canvas.tint[index])
            line += coverage > 0 ? [colour.red, colour.green, colour.blue, UInt8(coverage * 255)] : [0, 0, 0, 0]
        }
        return line
    }
}
#endif
