import JWTCore

extension Workload {
    /// Split, decoded and tokenized, and nothing verified.
    init(parsing tokens: BenchTokens) {
        self.init(ours: tokens.isReadable)
    }

    /// Malformed junk as scanners and broken clients send it.
    init(junkBeside tokens: BenchTokens) {
        let good = tokens.texts[0]
        let junk: [[UInt8]] = [
            Array("null".utf8), Array("Bearer".utf8), Array("a.b.c".utf8), Array("..".utf8), Array(good.dropLast(400)),
            Array("!".utf8) + good.dropFirst(), good + Array("=".utf8), Array("eyJhbGciOiJub25lIn0.e30.".utf8),
            Array(repeating: UInt8(ascii: "."), count: 1000), Array(repeating: UInt8(ascii: "A"), count: 2000),
        ]
        self.init(ours: { tokens.refusal(junk[$0 % junk.count]) != nil })
    }

    /// Good signatures of tokens that have expired: refused after all of the work.
    init?(expired tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        let texts = tokens.texts
        self.init(ours: { tokens.refusal(texts[$0 % texts.count], now: BenchTokens.tooLate) == .expired }, raw: raw.verifies)
    }

    /// Signatures with a bit turned in their middle, so of the right length. OpenSSL has the good ones to verify.
    init?(tampered tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        let texts = tokens.texts.map(Self.tampered)
        self.init(ours: { tokens.refusal(texts[$0 % texts.count]) == .signatureInvalid }, raw: raw.verifies)
    }

    private static func tampered(_ text: [UInt8]) -> [UInt8] {
        var text = text
        let dot = text.lastIndex(of: UInt8(ascii: ".")) ?? 0
        let middle = (dot + text.count) / 2
        text[middle] = text[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return text
    }
}
