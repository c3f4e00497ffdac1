package import IDaaSWire
internal import JWTCore

extension SliderPoint {
    /// Reads `{"x":237.0,"y":5.0}`.
    ///
    /// - Returns: nil for any other text, and for a text of more than 256 bytes.
    package init?(json: String) {
        guard json.utf8.count <= 256, let document = try? ParsedJSON(Array(json.utf8)), let x = document.root["x"]?.number?.double,
            let y = document.root["y"]?.number?.double
        else { return nil }
        self.init(x: x, y: y)
    }

    /// `{"x":237.0,"y":5.0}`.
    package var document: JSON { ["x": JSON(x), "y": JSON(y)] }

    /// Whether the point is close enough to `place`: within 5 pixels along x, and with the same y.
    func fits(_ place: SliderPoint) -> Bool { abs(x - place.x) <= Self.tolerance && y == place.y }

    private static let tolerance = 5.0
}
