internal import CMark
internal import COpenSSL
internal import JWTCore
internal import JWTSigning

/// Verifies whole tokens, and their signatures by libcrypto's bare operation, as the rows `….single` of `bench` do. Each measured loop
/// stands between two marks, whose second has the number of the row; instructions.c counts between them.
///
/// Prints libcrypto's version and the engine's tier, and for each loop "row rounds name".
@main
struct Tokens {
    private static let rounds = 24
    private static let secret = Array("a secret of thirty-two bytes, or more".utf8)
    private var rows = 0

    static func main() {
        print(unsafe String(cString: cossl_version()))
        print(Engine.tier.name)
        var program = Self()
        for kind in TokenKind.all {
            let tokens = tokens(kind, bytes: BenchTokens.short)
            guard let raw = RawOpenSSL(tokens) else { fatalError("libcrypto has no \(kind.name)") }
            program.count("\(kind.name).arm64 token", tokens.verifies)
            program.count("\(kind.name).arm64 libcrypto", raw.verifies)
        }
        let tokens = tokens(.hs256, bytes: 640)
        program.count("overhead.640.arm64 token", tokens.verifies)
        program.count("overhead.640.arm64 signature", tokens.signatureVerifies)
    }

    private static func tokens(_ kind: TokenKind, bytes: Int) -> BenchTokens {
        let signer =
            kind.algorithm.isSymmetric
            ? SigningKey.secret(secret, algorithm: kind.algorithm, keyID: "bench-key-1")
            : SigningKey.generate(kind.algorithm, keyID: "bench-key-1", bits: kind.bits)
        guard let signer else { fatalError("no key for \(kind.name)") }
        let secret = String(decoding: Base64URL.encode(secret), as: UTF8.self)
        let jwk = signer.publicJWK ?? "{\"kty\":\"oct\",\"kid\":\"bench-key-1\",\"k\":\"\(secret)\"}"
        let texts = BenchTokens.texts(signer, count: rounds, bytes: bytes)
        guard let tokens = BenchTokens(texts, kind.algorithm, document: "{\"keys\":[\(jwk)]}") else { fatalError("keys of \(kind.name)") }
        return tokens
    }

    /// The rounds before the marks prepare what the first operations need.
    private mutating func count(_ name: String, _ verifies: (Int) -> Bool) {
        var accepted = 0
        for ordinal in 0..<Self.rounds where verifies(ordinal) { accepted += 1 }
        rows += 1
        mark(0)
        for ordinal in 0..<Self.rounds where verifies(ordinal) { accepted += 1 }
        mark(Int32(rows))
        guard accepted == 2 * Self.rounds else { fatalError("a wrong verdict: \(name)") }
        print(rows, Self.rounds, name)
    }
}
