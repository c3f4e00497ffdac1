/// Where a piece belongs, or where the user left it.
public struct SliderPoint: Hashable, Sendable {
    /// Pixels from the left edge of the background to the left edge of the piece.
    public let x: Double
    /// The row of the slider. AJ-Captcha always uses 5, because the piece is as high as the background.
    public let y: Double
    /// The movement as JSON, `[{"x":…,"y":…,"t":…}, …]`, for servers that check it.
    public let track: String?

    public init(x: Double, y: Double = 5, track: String? = nil) {
        self.x = x
        self.y = y
        self.track = track
    }

    /// `{"x":237.0,"y":5.0}`: the vendor includes the decimals.
    package var json: String { "{\"x\":\(x),\"y\":\(y)}" }
}
