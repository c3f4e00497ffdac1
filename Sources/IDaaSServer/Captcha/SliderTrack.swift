#if IDaaS
internal import JWTCore

/// The way of the pointer that dragged a piece, as clients may send it: `[{"x":…,"y":…,"t":…}, …]`, pixels and milliseconds.
///
/// A track proves nothing, since its sender makes it. One that no hand can have drawn is refused all the same.
struct SliderTrack: Sendable {
    private struct Step: Sendable {
        let x: Double
        let y: Double
        let milliseconds: Double
    }

    private let steps: [Step]

    /// Nil for a text that is no track.
    init?(json: String) {
        guard json.utf8.count <= Self.longestText, let document = try? KeySet.document(json.utf8.span), document.root.isArray else {
            return nil
        }
        var steps: [Step] = []
        for position in 0..<document.root.count {
            guard let step = document.root[position], let x = step["x"]?.number, let y = step["y"]?.number, let t = step["t"]?.number
            else { return nil }
            steps.append(Step(x: x, y: y, milliseconds: t))
        }
        self.steps = steps
    }

    /// Whether a hand can have drawn it over a picture of `width`, to end near `x`: neither at once nor in a leap, starting where the
    /// slider starts, forward in time, and not as straight as a ruler.
    func isPlausible(width: Int, endingAt x: Double) -> Bool {
        guard let first = steps.first, let last = steps.last, (10...5 * width).contains(steps.count) else { return false }
        let pairs = zip(steps, steps.dropFirst())
        return last.milliseconds - first.milliseconds >= 300 && abs(first.x) <= 10 && abs(first.y) <= 10 && abs(last.x - x) <= 10
            && pairs.allSatisfy { $1.milliseconds >= $0.milliseconds && abs($1.x - $0.x) <= 50 && abs($1.y - $0.y) <= 50 }
            && steps.contains { $0.y != first.y }
    }

    private static let longestText = 65_536
}
#endif
