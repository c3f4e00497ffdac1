#if IDaaS
internal import JWTCore

/// Where a piece was dropped, or belongs, in pixels.
struct SliderPoint: Hashable, Sendable {
    var x: Double
    var y: Double

    init(x: Int, y: Int) {
        self.x = Double(x)
        self.y = Double(y)
    }

    /// Reads `{"x":237.0,"y":5.0}`; nil for anything else.
    init?(json: String) {
        guard json.utf8.count <= 256, let document = try? KeySet.document(json.utf8.span), let x = document.root["x"]?.number,
            let y = document.root["y"]?.number
        else { return nil }
        self.x = x
        self.y = y
    }

    /// Whether this is close enough to `place`: within 5 px along the slider, and on its line.
    func fits(_ place: SliderPoint) -> Bool { abs(x - place.x) <= Self.tolerance && y == place.y }

    /// As a challenge keeps it.
    var stored: [UInt8] { Array("{\"x\":\(x),\"y\":\(y)}".utf8) }

    private static let tolerance = 5.0
}
#endif
