internal import Pictures

/// The pixels along and within a piece's outline, which an attacker knows from the piece's opacity.
struct Outline {
    typealias Point = (x: Int, y: Int)

    /// The pixels around the piece that touch it.
    let outside: [Point]
    /// The piece's pixels that touch its surroundings.
    let inside: [Point]
    /// The pixels at a distance of three to five from the piece.
    let surroundings: [Point]
    /// The piece's pixels at a distance of more than four from its surroundings.
    let interior: [Point]
    /// Pairs of pixels across the outline: outside, inside.
    let steps: [(out: Point, within: Point)]

    init(_ piece: Picture) {
        let margin = 6
        let distances = Self.distances(piece, margin)
        var rings: [Int: [Point]] = [:]
        for (y, line) in distances.enumerated() {
            for (x, distance) in line.enumerated() { rings[distance, default: []].append((x - margin, y)) }
        }
        outside = rings[1] ?? []
        inside = rings[-1] ?? []
        surroundings = (3...5).flatMap { rings[$0] ?? [] }
        interior = rings.filter { $0.key < -4 }.flatMap(\.value)
        steps = inside.flatMap { point -> [(out: Point, within: Point)] in
            [(1, 0), (-1, 0), (0, 1), (0, -1)].compactMap { dx, dy in
                let (x, y) = (point.x + dx, point.y + dy)
                guard distances.indices ~= y, distances[y][x + margin] == 1 else { return nil }
                return ((x, y), point)
            }
        }
    }

    /// The distance of each pixel from the outline: 1, 2, … outside, -1, -2, … inside; at most 6.
    private static func distances(_ piece: Picture, _ margin: Int) -> [[Int]] {
        var distances = (0..<piece.height).map { y in
            (-margin..<piece.width + margin).map { x in 0..<piece.width ~= x && piece[x, y].opacity > 127 ? -6 : 6 }
        }
        for step in 1..<6 {
            let before = distances
            for y in before.indices {
                for x in before[y].indices where abs(before[y][x]) == 6 {
                    let sign = before[y][x].signum()
                    // The first step crosses the outline.
                    let next = step == 1 ? -6 * sign : sign * (step - 1)
                    let isNext = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].contains { x, y in
                        before.indices ~= y && before[y].indices ~= x && before[y][x] == next
                    }
                    if isNext { distances[y][x] = sign * step }
                }
            }
        }
        return distances
    }
}
