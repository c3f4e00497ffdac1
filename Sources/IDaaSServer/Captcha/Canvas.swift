#if IDaaS
/// A picture before it has colours: how light each pixel is, and which of two colours it leans to. Both of 0...1, and beyond while drawing.
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

    /// The picture in the colours of `palette`, dithered by half a level: more would be noise.
    func png(_ palette: Palette, _ dice: Dice) -> [UInt8] {
        var png = PNGWriter(width: width, height: height, colours: .table(palette.table))
        var line = [UInt8](repeating: 0, count: width)
        for y in 0..<height {
            let grain = dice.bytes(width)
            for x in 0..<width {
                let noise = 0.25 + Float(grain[x]) / 512
                let tone = Self.level(tone[y * width + x], of: Palette.tones, noise)
                let tint = Self.level(tint[y * width + x], of: Palette.tints, noise)
                line[x] = UInt8(tone * Palette.tints + tint)
            }
            png.append(line)
        }
        return png.finished()
    }

    private static func level(_ value: Float, of count: Int, _ noise: Float) -> Int {
        Int(min(max(value, 0), 1) * Float(count - 1) * 0.9999 + noise)
    }
}
#endif
