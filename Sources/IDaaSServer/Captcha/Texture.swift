extension Canvas {
    /// Paints clouds of three sizes, a gradient and shapes.
    ///
    /// With large clouds and dark shapes, the hole is not the darkest place. With outlines of shapes, it does not have the most edges.
    /// Small clouds make every place distinct, which identifies the piece's place.
    mutating func paintTexture(_ randomness: inout PictureRandomness) {
        paintGradient(randomness.direction(), strength: randomness.float(in: 0.2...0.45))
        addClouds(cell: 60, strength: 0.8, \.tone, &randomness)
        addClouds(cell: 26, strength: 0.3, \.tone, &randomness)
        addClouds(cell: 22, strength: 0.9, \.tint, &randomness)
        for _ in 0..<randomness.integer(in: 34...42) { paint(TextureShape(on: self, &randomness)) }
        tone = tone.map { 0.2 + 0.63 * min(max($0, 0), 1) }
        addClouds(cell: 7, strength: 0.26, \.tone, &randomness)
    }

    private mutating func paintGradient(_ direction: (x: Float, y: Float), strength: Float) {
        for y in 0..<height {
            for x in 0..<width {
                let along = (Float(x) / Float(width) - 0.5) * direction.x + (Float(y) / Float(height) - 0.5) * direction.y
                tone[y * width + x] += along * strength
            }
        }
    }

    /// Value noise: random numbers on a lattice with cells of `cell` pixels, blended smoothly.
    private mutating func addClouds(
        cell: Int, strength: Float, _ plane: WritableKeyPath<Canvas, [Float]>, _ randomness: inout PictureRandomness
    ) {
        let columns = width / cell + 2
        let weights = (0..<cell).map { Self.smooth(Float($0) / Float(cell)) }
        var upper = (0..<columns).map { _ in (randomness.unit() - 0.5) * strength }
        var lower = upper
        var values = self[keyPath: plane]
        self[keyPath: plane] = []
        for y in 0..<height {
            if y % cell == 0 {
                upper = lower
                lower = (0..<columns).map { _ in (randomness.unit() - 0.5) * strength }
            }
            let edge = zip(upper, lower).map { $0 + ($1 - $0) * weights[y % cell] }
            var (column, within) = (0, 0)
            for x in 0..<width {
                values[y * width + x] += edge[column] + (edge[column + 1] - edge[column]) * weights[within]
                within += 1
                if within == cell { (column, within) = (column + 1, 0) }
            }
        }
        self[keyPath: plane] = values
    }

    private static func smooth(_ part: Float) -> Float { part * part * (3 - 2 * part) }

    private mutating func paint(_ shape: TextureShape) {
        for y in shape.rows.clamped(to: 0..<height) {
            for x in shape.columns.clamped(to: 0..<width) {
                let coverage = min(max(0.5 - shape.distance(Float(x), Float(y)), 0), 1) * shape.opacity
                guard coverage > 0 else { continue }
                tone[y * width + x] += (shape.tone - tone[y * width + x]) * coverage
                tint[y * width + x] += (shape.tint - tint[y * width + x]) * coverage
            }
        }
    }
}
