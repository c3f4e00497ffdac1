internal import Pictures

/// A picture before it has colours: for each pixel the lightness and the mix of two colours. Both are in 0...1; values may be outside while
/// drawing.
struct Canvas {
    let width: Int
    let height: Int
    var tone: [Float]
    var tint: [Float]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        tone = [Float](repeating: 0.5, count: width * height)
        tint = [Float](repeating: 0.5, count: width * height)
    }

    func index(_ x: Int, _ y: Int) -> Int { y * width + x }

    /// The picture in the colours of `palette`, dithered by half a level; more would be noise.
    func png(_ palette: Palette, _ randomness: PictureRandomness) throws(PNGFailure) -> [UInt8] {
        let grain = randomness.bytes(tone.count)
        let indices = tone.indices.map { index in
            let noise = 0.25 + Float(grain[index]) / 512
            let tone = Self.level(tone[index], of: Palette.tones, noise)
            return UInt8(tone * Palette.tints + Self.level(tint[index], of: Palette.tints, noise))
        }
        return try PNGWriter.png(width: width, height: height, indices: indices, table: palette.table)
    }

    private static func level(_ value: Float, of count: Int, _ noise: Float) -> Int {
        Int(min(max(value, 0), 1) * Float(count - 1) * 0.9999 + noise)
    }
}
