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

    init(_ randomness: inout PictureRandomness) {
        // At least one tab or socket: a bare square would match every square in the texture. More than two sockets leave too little area.
        var sides: [Side]
        repeat {
            sides = (0..<4).map { _ in Side.allCases[randomness.integer(in: 0...2)] }
        } while sides.allSatisfy { $0 == .flat } || sides.count { $0 == .socket } > 2
        let half = randomness.float(in: 10.2...11.4)
        let radius = randomness.float(in: 3.8...4.6)
        self.half = half
        knobs = zip(sides, [(0, -1), (1, 0), (0, 1), (-1, 0)] as [(Float, Float)]).compactMap { side, outward -> Knob? in
            guard side != .flat else { return nil }
            let away = half + radius * (side == .tab ? 0.5 : -0.5)
            let along = randomness.float(in: -3...3)
            return Knob(
                x: outward.0 * away + outward.1 * along, y: outward.1 * away + outward.0 * along, radius: radius, isTab: side == .tab)
        }
    }

    /// The distance of a pixel's centre outside the outline, in pixels; negative inside.
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

    /// The part of a pixel that the shape covers, from 0 to 1. The edge is 1.5 pixels wide, so that an edge along a line of pixels is soft
    /// too.
    func coverage(_ column: Int, _ row: Int) -> Float { min(max(0.5 - distance(column, row) / 1.5, 0), 1) }
}
