internal import IDaaSWire

extension SliderPoint {
    /// Whether the point is close enough to `place`: within 5 pixels along x, and with the same y.
    func fits(_ place: SliderPoint) -> Bool { abs(x - place.x) <= Self.tolerance && y == place.y }

    private static let tolerance = 5.0
}
