internal import COpenSSL

/// A source of random bytes, injected so that a test can repeat a run.
public struct Randomness: Sendable {
    private let source: @Sendable (Int) -> [UInt8]

    /// - Parameter source: returns the requested number of bytes.
    public init(_ source: @escaping @Sendable (Int) -> [UInt8]) { self.source = source }

    /// libcrypto's generator. Without randomness the process stops: no secret may be predictable.
    public static let system = Randomness { count in
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe cossl_random_bytes(&bytes, count) == 1 else { fatalError("libcrypto gives no random bytes") }
        return bytes
    }

    public func bytes(_ count: Int) -> [UInt8] { source(count) }

    /// A number of 0..<bound, each equally likely.
    ///
    /// - Precondition: `bound` is not zero.
    public func integer(below bound: UInt32) -> UInt32 {
        // Rejects the 2^32 mod bound lowest words, so the number of accepted words is a multiple of the bound.
        let remainder = (0 &- bound) % bound
        while true {
            let word = bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
            if word >= remainder { return word % bound }
        }
    }

    /// A text of this many characters of `alphabet`, each equally likely.
    public func token(characters: Int, alphabet: Alphabet) -> String {
        let digits = alphabet.digits
        let fair = 256 / digits.count * digits.count
        var token: [UInt8] = []
        token.reserveCapacity(characters)
        while token.count < characters {
            for byte in bytes(characters - token.count) where Int(byte) < fair { token.append(digits[Int(byte) % digits.count]) }
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// The characters of a token.
    public enum Alphabet: Sendable {
        /// 0-9, A-Z, a-z: 5.95 bits a character.
        case base62
        /// 0-9, a-f: 4 bits a character.
        case hexadecimal
        /// 0-9: 3.32 bits a character.
        case decimal

        var digits: [UInt8] {
            switch self {
            case .base62: Base62.digits
            case .hexadecimal: Array("0123456789abcdef".utf8)
            case .decimal: Array("0123456789".utf8)
            }
        }
    }
}
