/// A colour as the SDK documents write it: six hexadecimal digits, without `0x` and `#`.
public struct HexColor: Hashable, Sendable, Codable, CustomStringConvertible {
    /// 0 to 255 each.
    public let red, green, blue: UInt8

    /// - Parameter text: `FF4F4A`, in either case.
    /// - Returns: nil for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.compactMap { Self.value(of: $0) }
        guard text.utf8.count == 6, digits.count == 6 else { return nil }
        red = digits[0] << 4 | digits[1]
        green = digits[2] << 4 | digits[3]
        blue = digits[4] << 4 | digits[5]
    }

    init(_ number: UInt32) {
        red = UInt8(truncatingIfNeeded: number >> 16)
        green = UInt8(truncatingIfNeeded: number >> 8)
        blue = UInt8(truncatingIfNeeded: number)
    }

    /// In upper case.
    public var description: String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: [red, green, blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
