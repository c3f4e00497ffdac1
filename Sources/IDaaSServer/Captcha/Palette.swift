/// The 256 colours of one picture: 8 tints between two random colours, with 32 tones each from dark to light.
struct Palette {
    static let tones = 32
    static let tints = 8

    struct Colour {
        let red: UInt8
        let green: UInt8
        let blue: UInt8
    }

    private let from: (red: Float, green: Float, blue: Float)
    private let to: (red: Float, green: Float, blue: Float)

    init(_ randomness: inout PictureRandomness) {
        let turn = randomness.unit()
        from = Self.hue(turn)
        to = Self.hue(turn + randomness.float(in: 0.15...0.85))
    }

    /// A colour of the wheel, more than half grey, because bright pictures tire the eye. All have about the lightness of the tone.
    private static func hue(_ turn: Float) -> (Float, Float, Float) {
        func channel(_ offset: Float) -> Float {
            let angle = (turn + offset).truncatingRemainder(dividingBy: 1)
            return 0.45 + 0.5 * min(max(abs(angle * 6 - 3) - 1, 0), 1)
        }
        let (red, green, blue) = (channel(0), channel(2 / 3), channel(1 / 3))
        let scale = 0.6 / (0.3 * red + 0.59 * green + 0.11 * blue)
        return (min(red * scale, 1), min(green * scale, 1), min(blue * scale, 1))
    }

    /// Black at tone 0, the tint at middle tones, white at tone 1.
    func colour(tone: Float, tint: Float) -> Colour {
        func channel(_ a: Float, _ b: Float) -> UInt8 {
            let middle = a + (b - a) * min(max(tint, 0), 1)
            let light = min(max(tone, 0), 1)
            return UInt8((light < 0.6 ? middle * light / 0.6 : middle + (1 - middle) * (light - 0.6) / 0.4) * 255)
        }
        return Colour(red: channel(from.red, to.red), green: channel(from.green, to.green), blue: channel(from.blue, to.blue))
    }

    /// The palette table of a PNG: three bytes per colour, at index tone * 8 + tint.
    var table: [UInt8] {
        (0..<Self.tones * Self.tints).flatMap { index in
            let colour = colour(
                tone: Float(index / Self.tints) / Float(Self.tones - 1), tint: Float(index % Self.tints) / Float(Self.tints - 1))
            return [colour.red, colour.green, colour.blue]
        }
    }
}
