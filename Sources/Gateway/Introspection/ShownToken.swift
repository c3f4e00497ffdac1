internal import JWTCore

/// The name of a token among the answers about tokens: HMAC-SHA-256 of its text with a key of this process. The text itself is not kept.
struct ShownToken: Hashable, Sendable {
    private let words: InlineWords

    private struct InlineWords: Hashable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
    }

    /// Nil if memory is exhausted.
    init?(_ token: Span<UInt8>, secret: [UInt8]) {
        let digest = Digest.sha256.authentication(of: token, secret: secret.span)
        guard digest.count == 32 else { return nil }
        func word(_ place: Int) -> UInt64 { digest[8 * place..<8 * place + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        words = InlineWords(first: word(0), second: word(1), third: word(2), fourth: word(3))
    }

    /// A key for the names, of 32 random bytes.
    static func secret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
    }
}

extension Span<UInt8> {
    /// Whether a JWT looks like this: three parts, or the five of an encrypted one, whose first is base64url of a text from `{` on.
    var isShapedAsJWT: Bool {
        guard count > 2, self[0] == UInt8(ascii: "e"), Self.followsBrace(self[1]) else { return false }
        var dots = 0
        for place in indices where self[place] == UInt8(ascii: ".") { dots += 1 }
        return dots == 2 || dots == 4
    }

    /// The characters of 48 to 63: the last two bits of `{` are ones.
    private static func followsBrace(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "w")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Whether every character may be in an access token (RFC 6749 appendix A.12), and none is a blank.
    var isVisibleText: Bool {
        for place in indices where self[place] <= 0x20 || self[place] >= 0x7f { return false }
        return !isEmpty
    }
}
