/// Numbers in the digits 0-9, A-Z, a-z, for tokens that are derived, not random.
public enum Base62 {
    static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// The last `characters` digits of the big-endian number in `bytes`, padded with leading zeros.
    ///
    /// The last digits of a uniform number are uniform up to a bias of 62^characters / 256^bytes; the first digits are not.
    public static func encode(_ bytes: [UInt8], characters: Int) -> String {
        var number = bytes
        defer { wipe(&number) }
        var text: [UInt8] = []
        for _ in 0..<characters {
            var remainder = 0
            for index in number.indices {
                let dividend = remainder << 8 | Int(number[index])
                number[index] = UInt8(dividend / 62)
                remainder = dividend % 62
            }
            text.append(digits[remainder])
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }
}
