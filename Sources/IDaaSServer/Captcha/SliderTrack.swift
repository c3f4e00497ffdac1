internal import JWTCore

/// The path of the pointer that dragged a piece, as clients may send it: `[{"x":…,"y":…,"t":…}, …]`, in pixels and milliseconds.
///
/// A track proves nothing, because its sender makes it. A track that no human hand can draw is still refused.
struct SliderTrack: Sendable {
    private struct Step: Sendable, Decodable {
        let x: Double
        let y: Double
        let milliseconds: Double

        private enum CodingKeys: String, CodingKey {
            case x, y
            case milliseconds = "t"
        }
    }

    private let steps: [Step]

    /// Nil for a text that is not a track.
    init?(json: String) {
        guard json.utf8.count <= Self.longestText, let steps = try? ParsedJSON(Array(json.utf8)).decode([Step].self) else { return nil }
        self.steps = steps
    }

    /// Whether a hand can have drawn the track over a picture of `width`, ending near `x`. It must take some time, have no jump, start at
    /// the slider's start, move forward in time, and not be perfectly straight.
    func isPlausible(width: Int, endingAt x: Double) -> Bool {
        guard let first = steps.first, let last = steps.last, (10...5 * width).contains(steps.count) else { return false }
        let pairs = zip(steps, steps.dropFirst())
        return last.milliseconds - first.milliseconds >= 300 && abs(first.x) <= 10 && abs(first.y) <= 10 && abs(last.x - x) <= 10
            && pairs.allSatisfy { $1.milliseconds >= $0.milliseconds && abs($1.x - $0.x) <= 50 && abs($1.y - $0.y) <= 50 }
            && steps.contains { $0.y != first.y }
    }

    private static let longestText = 65_536
}
