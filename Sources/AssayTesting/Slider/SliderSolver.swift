#if IDaaS
package import Pictures

/// Solves AJ-Captcha's slider from the two visible pictures: the background and the piece.
///
/// The hole is a darkened, tinted copy of the piece. At the right position both vary alike from pixel to pixel, so the position has the
/// highest correlation, whatever the change of lightness.
public enum SliderSolver {
    /// The correct x of the left edge of the piece's picture.
    ///
    /// - Parameters:
    ///   - background: the picture with the hole, PNG.
    ///   - piece: the picture of the piece, PNG, as high as the background.
    /// - Returns: nil if no part of the piece is opaque or the sizes of the pictures do not match.
    /// - Throws: if one of them is no PNG.
    public static func x(background: [UInt8], piece: [UInt8]) throws -> Int? {
        x(background: try PNGReader.picture(background), piece: try PNGReader.picture(piece))
    }

    package static func x(background: Picture, piece: Picture) -> Int? {
        guard background.height == piece.height, background.width >= piece.width else { return nil }
        let points = Self.points(of: piece)
        guard !points.isEmpty else { return nil }
        let wanted = Sample(piece, points, at: 0)
        let likenesses = (0...background.width - piece.width).map { wanted.likeness(to: Sample(background, points, at: $0)) }
        return likenesses.indices.max { likenesses[$0] < likenesses[$1] }
    }

    /// The opaque pixels of a piece, at least two pixels from its edge, which has a decorative rim.
    private static func points(of piece: Picture) -> [(x: Int, y: Int)] {
        func isOpaque(_ x: Int, _ y: Int) -> Bool {
            0..<piece.width ~= x && 0..<piece.height ~= y && piece[x, y].opacity >= 250
        }
        return (0..<piece.height).flatMap { y in
            (0..<piece.width).compactMap { x in
                (-2...2).allSatisfy { isOpaque(x + $0, y) && isOpaque(x, y + $0) } ? (x, y) : nil
            }
        }
    }
}

/// The colours at some points of a picture, minus their mean.
private struct Sample {
    private let values: [Float]
    private let length: Float

    init(_ picture: Picture, _ points: [(x: Int, y: Int)], at x: Int) {
        let pixels = points.map { picture[$0.x + x, $0.y] }
        values = [\Picture.Pixel.red, \.green, \.blue].flatMap { channel in
            let values = pixels.map { Float($0[keyPath: channel]) }
            let mean = values.reduce(0, +) / Float(values.count)
            return values.map { $0 - mean }
        }
        length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }

    /// The correlation, in -1...1.
    func likeness(to other: Sample) -> Float {
        zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 } / max(length * other.length, .leastNormalMagnitude)
    }
}
#endif
