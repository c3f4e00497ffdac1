internal import Foundation

/// A slider to be solved: where in the picture the piece belongs, only the two pictures tell.
public struct SliderChallenge: Hashable, Sendable {
    public let token: String
    /// PNG.
    public let background: [UInt8]
    /// PNG, as high as the background; its left edge is what moves.
    public let piece: [UInt8]
    /// Pixels of the background.
    public let width: Int
    public let height: Int
    /// Pixels of the piece.
    public let blockWidth: Int
    /// How long it can be answered.
    public let lifetime: Duration
    /// Which one this is in a row, from one: above it the last answer was wrong, late, or another picture was asked for.
    public let ordinal: Int
    /// Came with the picture, where the tenant has the point encrypted (AJ-Captcha).
    let secretKey: String?

    init?(_ value: WireValue, ordinal: Int) {
        guard let token = value["token"]?.filled, let background = Self.picture(value["originalImageBase64"]),
            let piece = Self.picture(value["jigsawImageBase64"])
        else { return nil }
        self.token = token
        self.background = background
        self.piece = piece
        self.ordinal = ordinal
        width = Self.size(value["width"], 310)
        height = Self.size(value["height"], 155)
        blockWidth = Self.size(value["block_width"], 47)
        lifetime = .seconds(Self.size(value["expire"], 120))
        secretKey = value["secretKey"]?.filled
    }

    private static func picture(_ value: WireValue?) -> [UInt8]? {
        guard let text = value?.text, let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty else {
            return nil
        }
        return Array(data)
    }

    /// What AJ-Captcha has where the server does not say.
    private static func size(_ value: WireValue?, _ usual: Int) -> Int {
        guard let number = value?.integer, (1...10_000).contains(number) else { return usual }
        return Int(number)
    }
}
