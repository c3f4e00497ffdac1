/// A slider to solve. Only the two pictures show where the piece belongs.
public struct SliderChallenge: Hashable, Sendable {
    /// Identifies the challenge in the call that checks the answer.
    public let token: String
    /// PNG.
    public let background: [UInt8]
    /// PNG, as high as the background. The user moves its left edge.
    public let piece: [UInt8]
    /// Pixels of the background.
    public let width: Int
    public let height: Int
    /// Pixels of the piece.
    public let blockWidth: Int
    /// How long the server accepts an answer.
    public let lifetime: Duration
    /// The position in a row of challenges, from 1. Above 1, the last answer was wrong or late, or the user requested another picture.
    public let ordinal: Int
    /// The key that came with the picture, if the tenant wants the point encrypted (AJ-Captcha).
    package let secretKey: String?

    package init(
        token: String, background: [UInt8], piece: [UInt8], width: Int, height: Int, blockWidth: Int, lifetime: Duration, ordinal: Int = 1,
        secretKey: String? = nil
    ) {
        self.token = token
        self.background = background
        self.piece = piece
        self.width = width
        self.height = height
        self.blockWidth = blockWidth
        self.lifetime = lifetime
        self.ordinal = ordinal
        self.secretKey = secretKey
    }
}
