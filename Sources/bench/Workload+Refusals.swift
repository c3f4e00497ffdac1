import JWTCore

extension Workload {
    /// Tokens that are split, decoded and tokenized, but not verified.
    init(parsing tokens: BenchTokens) {
        self.init(ours: tokens.isReadable)
    }

    /// Malformed tokens, such as scanners and faulty clients send.
    init(junkBeside tokens: BenchTokens) {
        let good = tokens.texts[0]
        let junk: [[UInt8]] = [
            Array("null".utf8), Array("Bearer".utf8), Array("a.b.c".utf8), Array("..".utf8), Array(good.dropLast(400)),
            Array("!".utf8) + good.dropFirst(), good + Array("=".utf8), Array("eyJhbGciOiJub25lIn0.e30.".utf8),
            Array(repeating: UInt8(ascii: "."), count: 1000), Array(repeating: UInt8(ascii: "A"), count: 2000),
        ]
        self.init(ours: { tokens.refusal(junk[$0 % junk.count]) != nil })
    }

    /// Expired tokens with valid signatures: the verifier refuses them only after all of the work.
    init?(expired tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        let texts = tokens.texts
        self.init(ours: { tokens.refusal(texts[$0 % texts.count], now: BenchTokens.tooLate) == .expired }, raw: raw.verifies)
    }

    /// Signatures of the right length with a changed bit. OpenSSL verifies the unchanged ones.
    init?(tampered tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        let texts = tokens.texts.map(Self.tampered)
        self.init(ours: { tokens.refusal(texts[$0 % texts.count]) == .signatureInvalid }, raw: raw.verifies)
    }

    static func tampered(_ text: [UInt8]) -> [UInt8] {
        var text = text
        let dot = text.lastIndex(of: UInt8(ascii: ".")) ?? 0
        let middle = (dot + text.count) / 2
        text[middle] = text[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return text
    }
}
