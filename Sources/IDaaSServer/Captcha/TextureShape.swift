/// A disc, ring, bar or rounded box somewhere on a texture.
struct TextureShape {
    let tone: Float
    let tint: Float
    let opacity: Float
    private let form: Form
    private let x: Float
    private let y: Float
    private let half: (x: Float, y: Float)
    private let direction: (x: Float, y: Float)

    private enum Form: CaseIterable {
        case disc
        case ring
        case bar
        case box
    }

    init(on canvas: Canvas, _ randomness: inout PictureRandomness) {
        form = Form.allCases[randomness.integer(in: 0...3)]
        x = randomness.float(in: 0...Float(canvas.width))
        y = randomness.float(in: 0...Float(canvas.height))
        direction = randomness.direction()
        let size = randomness.float(in: 10...30)
        half = form == .bar ? (x: size * 1.8, y: randomness.float(in: 2...6)) : (x: size, y: size * randomness.float(in: 0.6...1))
        // Dark or light, seldom between: an outline must be visible to mislead a solver.
        tone = randomness.unit() < 0.55 ? randomness.float(in: 0.05...0.3) : randomness.float(in: 0.6...0.95)
        tint = randomness.unit()
        opacity = randomness.float(in: 0.45...0.85)
    }

    var columns: Range<Int> { Self.pixels(around: x, reach(direction.x, direction.y)) }

    var rows: Range<Int> { Self.pixels(around: y, reach(direction.y, direction.x)) }

    /// The extent of the shape along an axis; the arguments give the axis's share of its length and breadth.
    private func reach(_ along: Float, _ across: Float) -> Float {
        switch form {
        case .disc, .ring: half.y + 4
        case .bar, .box: half.x * abs(along) + half.y * abs(across) + 1
        }
    }

    private static func pixels(around middle: Float, _ reach: Float) -> Range<Int> { Int(middle - reach)..<Int(middle + reach) + 1 }

    /// The distance of a point outside the outline, in pixels; negative inside.
    func distance(_ pointX: Float, _ pointY: Float) -> Float {
        let (dx, dy) = (pointX - x, pointY - y)
        switch form {
        case .disc: return (dx * dx + dy * dy).squareRoot() - half.y
        case .ring: return abs((dx * dx + dy * dy).squareRoot() - half.y) - 3
        case .bar, .box:
            let along = abs(dx * direction.x + dy * direction.y) - half.x
            let across = abs(dy * direction.x - dx * direction.y) - half.y
            return max(along, across)
        }
    }
}
