internal import Pictures

/// The holes in a texture: all have one outline and are in one line, and the piece fits one of them.
///
/// The holes are exchangeable: their places, shades and drawing order are chosen without the piece, which is cut from one of them
/// afterwards. So the background does not show which hole is right. A solver that does not compare the piece's texture with the holes'
/// succeeds with probability 1/``holes``.
struct SliderScene {
    static let holes = 8

    private static let block = SliderPicture.blockWidth

    /// The left edges of the holes' blocks, each anywhere in ``SliderPicture/places`` with equal probability.
    let places: [Int]
    private let top: Int
    private let shape: JigsawShape

    init(_ randomness: inout PictureRandomness) {
        top = randomness.integer(in: 6...SliderPicture.height - Self.block - 6)
        shape = JigsawShape(&randomness)
        let (first, width) = (SliderPicture.places.lowerBound, SliderPicture.places.count)
        let turn = randomness.integer(in: 0...width - 1)
        // Equal steps around a ring: no place is further from the others than another.
        places = (0..<Self.holes).map { first + (turn + $0 * width / Self.holes + randomness.integer(in: 0...4)) % width }
    }

    /// Darkens the holes. Each hole's texture gets a random lightness, contrast and colour, so the mean and range of the piece reveal
    /// nothing.
    func shade(_ canvas: inout Canvas, _ randomness: inout PictureRandomness) {
        let texture = canvas
        for place in places {
            let tone = Shade(
                of: texture.tone, mean: randomness.float(in: 0.3...0.42), deviation: randomness.float(in: 0.095...0.12), self, place)
            let tint = Shade(
                of: texture.tint, mean: randomness.float(in: 0.2...0.8), deviation: randomness.float(in: 0.1...0.2), self, place)
            for row in 0..<Self.block {
                for column in 0..<Self.block {
                    let coverage = shape.coverage(column, row)
                    guard coverage > 0 else { continue }
                    let rim = max(1 - abs(shape.distance(column, row) + 1) / 1.5, 0) * 0.3
                    let index = canvas.index(place + column, top + row)
                    canvas.tone[index] += coverage * (tone.value(texture.tone[index]) * (1 - rim) - canvas.tone[index])
                    canvas.tint[index] += coverage * (tint.value(texture.tint[index]) - canvas.tint[index])
                }
            }
        }
    }

    /// A linear map of a texture's values to a given mean and standard deviation.
    private struct Shade {
        private let mean: Float
        private let newMean: Float
        private let gain: Float

        init(of plane: [Float], mean newMean: Float, deviation: Float, _ scene: SliderScene, _ place: Int) {
            var (count, sum, squares): (Float, Float, Float) = (0, 0, 0)
            for row in 0..<block {
                for column in 0..<block where scene.shape.distance(column, row) < 0 {
                    let value = plane[(scene.top + row) * SliderPicture.width + place + column]
                    (count, sum, squares) = (count + 1, sum + value, squares + value * value)
                }
            }
            mean = sum / count
            self.newMean = newMean
            gain = deviation / max((squares / count - mean * mean), 0.0004).squareRoot()
        }

        func value(_ value: Float) -> Float { newMean + (value - mean) * gain }
    }

    /// The texture within the outline at `place`, with a light rim that people see. Lightness and colour shift a little; otherwise their
    /// means would equal those of the hole's surroundings.
    func piece(cutFrom canvas: Canvas, at place: Int, _ palette: Palette, _ randomness: inout PictureRandomness) throws(PNGFailure)
        -> [UInt8]
    {
        let (toneLean, tintLean) = (randomness.lean(in: 0.1...0.18), randomness.lean(in: 0.2...0.35))
        var pixels = [UInt8](repeating: 0, count: 4 * Self.block * SliderPicture.height)
        for row in 0..<Self.block {
            for column in 0..<Self.block {
                let coverage = shape.coverage(column, row)
                guard coverage > 0 else { continue }
                let rim = max(1 - abs(shape.distance(column, row) + 0.5) / 1.2, 0) * 0.5
                let index = canvas.index(place + column, top + row)
                let colour = palette.colour(
                    tone: (canvas.tone[index] + toneLean) * (1 - rim) + rim, tint: canvas.tint[index] + tintLean)
                let start = 4 * ((top + row) * Self.block + column)
                pixels.replaceSubrange(start..<start + 4, with: [colour.red, colour.green, colour.blue, UInt8(coverage * 255)])
            }
        }
        return try PNGWriter.png(Picture(width: Self.block, height: SliderPicture.height, pixels: pixels))
    }
}
