#if IDaaS
package import Secrets

/// One challenge of the slider: a picture with a hole, and the piece that fills it.
///
/// The wire is AJ-Captcha's `blockPuzzle`: the piece's picture is as high as the background, so the client moves it along x alone, and the
/// y that it sends is the constant ``y``.
package struct SliderPicture: Sendable {
    package static let width = 310
    package static let height = 155
    package static let blockWidth = 47

    /// Where the left edge of a piece may belong: as AJ-Captcha, never where the piece starts out.
    static let places = 100..<width - blockWidth

    /// A PNG of 310 by 155 pixels, in 256 colours.
    package let background: [UInt8]
    /// A PNG of 47 by 155 pixels, transparent but for the piece.
    package let piece: [UInt8]
    /// Where the left edge of the piece's picture belongs, in pixels: 100..<263. Nothing but the two pictures may tell it to a client.
    package let x: Int
    package let y: Int

    /// Draws a picture of its own for every challenge.
    ///
    /// Position and texture come from separate bytes of `randomness`: whoever works out how the texture came about does not know the place.
    package static func draw(randomness: Randomness) -> SliderPicture {
        let x = places.lowerBound + Int(randomness.integer(below: UInt32(places.count)))
        var dice = Dice(randomness)
        var canvas = Canvas(width: width, height: height)
        canvas.paintTexture(&dice)
        let scene = SliderScene(x: x, &dice)
        let palette = Palette(&dice)
        let piece = scene.piece(cutFrom: canvas, palette)
        scene.shade(&canvas)
        return SliderPicture(background: canvas.png(palette, dice), piece: piece, x: x, y: 5)
    }
}
#endif
