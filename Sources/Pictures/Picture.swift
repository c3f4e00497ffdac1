/// A decoded picture: four bytes a pixel, red, green, blue and opacity, line by line from the top.
public struct Picture: Sendable {
    public let width: Int
    public let height: Int
    public let pixels: [UInt8]

    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == 4 * width * height, "four bytes a pixel")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    public subscript(x: Int, y: Int) -> Pixel {
        let start = 4 * (y * width + x)
        return Pixel(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2], opacity: pixels[start + 3])
    }

    public struct Pixel: Hashable, Sendable {
        public let red: UInt8
        public let green: UInt8
        public let blue: UInt8
        public let opacity: UInt8

        public init(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.opacity = opacity
        }
    }
}
