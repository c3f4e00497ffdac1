package import Pictures
package import Secrets

/// One challenge of the slider: a picture with holes, and the piece that fills one of them.
///
/// The wire format is AJ-Captcha's `blockPuzzle`: the piece's picture is as high as the background, so the client moves it only along x,
/// and the y that it sends is the constant ``y``.
package struct SliderPicture: Sendable {
    package static let width = 310
    package static let height = 155
    package static let blockWidth = 47

    /// The possible left edges of the hole. As in AJ-Captcha, never at the start position of the piece.
    static let places = 100..<width - blockWidth

    /// A PNG of 310 by 155 pixels, in 256 colours.
    package let background: [UInt8]
    /// A PNG of 47 by 155 pixels, transparent but for the piece.
    package let piece: [UInt8]
    /// The correct left edge of the piece's picture, in pixels: 100..<263. A client must learn it only from the two pictures.
    package let x: Int
    package let y: Int

    /// Draws a new picture for every challenge.
    ///
    /// The choice of the piece's hole comes last, and only the piece depends on it.
    ///
    /// - Throws: ``PNGFailure/outOfMemory``.
    package static func draw(randomness: Randomness) throws(PNGFailure) -> SliderPicture {
        try draw(randomness: randomness) { Int(randomness.integer(below: UInt32($0))) }
    }

    /// - Parameter choice: picks one of this many holes.
    package static func draw(randomness: Randomness, choice: (Int) -> Int) throws(PNGFailure) -> SliderPicture {
        var randomness = PictureRandomness(randomness)
        var canvas = Canvas(width: width, height: height)
        canvas.paintTexture(&randomness)
        let texture = canvas
        let scene = SliderScene(&randomness)
        let palette = Palette(&randomness)
        scene.shade(&canvas, &randomness)
        let background = try canvas.png(palette, randomness)
        let x = scene.places[choice(scene.places.count)]
        let piece = try scene.piece(cutFrom: texture, at: x, palette, &randomness)
        return SliderPicture(background: background, piece: piece, x: x, y: 5)
    }
}
