internal import Secrets

/// What may be said of a secret in a log.
enum Masked {
    /// `+86-138****0000`: the code of the country, three digits and the last four; of fewer than eleven digits the first two and the last
    /// two.
    static func mobile(_ text: String) -> String {
        let parts = text.split(separator: "-", maxSplits: 1)
        let prefix = parts.count == 2 ? "\(parts[0])-" : ""
        let digits = parts.last ?? ""
        guard digits.count >= 7 else { return prefix + "****" }
        let isLong = digits.count >= 11
        return prefix + digits.prefix(isLong ? 3 : 2) + "****" + digits.suffix(isLong ? 4 : 2)
    }

    /// The first eight hexadecimal digits of the SHA-256.
    static func token(_ text: String) -> String { String(Hexadecimal.text(Digest256.of(Array(text.utf8))).prefix(8)) }
}

enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
