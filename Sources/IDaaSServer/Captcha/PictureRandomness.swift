internal import Secrets

/// Random numbers for drawing, from blocks of random bytes. Good enough for textures; values that must stay secret do not use it.
struct PictureRandomness {
    private let randomness: Randomness
    private var block: [UInt8] = []
    private var next = 0

    init(_ randomness: Randomness) { self.randomness = randomness }

    func bytes(_ count: Int) -> [UInt8] { randomness.bytes(count) }

    mutating func byte() -> UInt8 {
        if next == block.count {
            block = randomness.bytes(4_096)
            next = 0
        }
        defer { next += 1 }
        return block[next]
    }

    /// From 0 up to but not including 1, in steps of 2^-16.
    mutating func unit() -> Float { Float(Int(byte()) << 8 | Int(byte())) / 65_536 }

    mutating func float(in range: ClosedRange<Float>) -> Float { range.lowerBound + unit() * (range.upperBound - range.lowerBound) }

    /// A value of the range with a random sign.
    mutating func lean(in range: ClosedRange<Float>) -> Float { float(in: range) * (byte() & 1 == 0 ? 1 : -1) }

    mutating func integer(in range: ClosedRange<Int>) -> Int { range.lowerBound + Int(unit() * Float(range.count)) }

    /// A direction: a vector of length 1.
    mutating func direction() -> (x: Float, y: Float) {
        while true {
            let (x, y) = (float(in: -1...1), float(in: -1...1))
            let length = (x * x + y * y).squareRoot()
            if length > 0.1, length <= 1 { return (x / length, y / length) }
        }
    }
}
