/// Shows a slider to a person and returns what they did: a page of the app, a terminal. The only piece of user interface that SMS login
/// needs.
///
/// When its task is cancelled it returns soon; what it returns then is not looked at.
public protocol SliderPresenter: Sendable {
    func answer(to challenge: SliderChallenge) async -> SliderAnswer
}

/// What a person did with a slider.
public enum SliderAnswer: Hashable, Sendable {
    case point(SliderPoint)
    /// Wants another picture.
    case another
    /// Closed the page.
    case closed
}

/// Where the piece was left.
public struct SliderPoint: Hashable, Sendable {
    /// Pixels from the left edge of the background to that of the piece.
    public let x: Double
    /// Five, always: the piece is as high as the picture.
    public let y: Double
    /// The movement, as JSON, for servers that look at it.
    public let track: String?

    public init(x: Double, y: Double = 5, track: String? = nil) {
        self.x = x
        self.y = y
        self.track = track
    }

    /// `{"x":237.0,"y":5.0}`: the decimals are the vendor's.
    var json: String { "{\"x\":\(x),\"y\":\(y)}" }
}
