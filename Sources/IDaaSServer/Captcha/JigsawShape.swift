#if IDaaS
/// The outline of a jigsaw piece within a block of 47 by 47 pixels: a square whose sides are flat or carry a tab or a socket.
struct JigsawShape {
    private static let centre = Float(SliderPicture.blockWidth) / 2

    private let half: Float
    private let knobs: [Knob]

    private struct Knob {
        let x: Float
        let y: Float
        let radius: Float
        let isTab: Bool
    }

    private enum Side: CaseIterable {
        case tab
        case socket
        case flat
    }

    private let sides: [Side]

    init(_ dice: inout Dice) {
        // At least one tab or socket: a bare square would be every square in the texture.
        var sides: [Side]
        repeat { sides = (0..<4).map { _ in Side.allCases[dice.integer(in: 0...2)] } } while sides.allSatisfy { $0 == .flat }
        self.init(sides, &dice)
    }

    private init(_ sides: [Side], _ dice: inout Dice) {
        let half = dice.float(in: 14...16)
        let radius = dice.float(in: 4.8...6)
        self.half = half
        self.sides = sides
        knobs = zip(sides, [(0, -1), (1, 0), (0, 1), (-1, 0)] as [(Float, Float)]).compactMap { side, outward -> Knob? in
            guard side != .flat else { return nil }
            let away = side == .tab ? Self.centre - radius - 0.5 : half - radius * 0.55
            let along = dice.float(in: -4...4)
            return Knob(
                x: outward.0 * away + outward.1 * along, y: outward.1 * away + outward.0 * along, radius: radius, isTab: side == .tab)
        }
    }

    /// A shape that differs from this one on at least two sides.
    func other(_ dice: inout Dice) -> JigsawShape {
        var candidate: JigsawShape
        repeat { candidate = JigsawShape(&dice) } while zip(sides, candidate.sides).count(where: { $0 != $1 }) < 2
        return candidate
    }

    /// How far the centre of a pixel lies outside the outline, in pixels; negative inside.
    func distance(_ column: Int, _ row: Int) -> Float {
        let x = Float(column) + 0.5 - Self.centre
        let y = Float(row) + 0.5 - Self.centre
        var distance = max(abs(x), abs(y)) - half
        for knob in knobs {
            let (dx, dy) = (x - knob.x, y - knob.y)
            let round = (dx * dx + dy * dy).squareRoot() - knob.radius
            distance = knob.isTab ? min(distance, round) : max(distance, -round)
        }
        return distance
    }

    /// How much of a pixel the shape covers, from 0 to 1. The edge is one and a half pixels wide, so that one along a line of pixels is soft
    /// as well.
    func coverage(_ column: Int, _ row: Int) -> Float { min(max(0.5 - distance(column, row) / 1.5, 0), 1) }
}
#endif
