import JWTCore
import JWTSigning

/// The tokens of a run, made when a row first needs them and shared by the rows of their kind.
final class TokenStock {
    private let effort: Effort
    private var signers: [TokenKind: SigningKey] = [:]
    private var made: [Wanted: BenchTokens] = [:]
    private var large: [LargePayload: BenchTokens] = [:]

    private struct Wanted: Hashable {
        let kind: TokenKind
        let bytes: Int
    }

    private static let secret = Array("a secret of thirty-two bytes, or more".utf8)

    init(_ effort: Effort) { self.effort = effort }

    /// Tokens of at least about `bytes` bytes; nil if libcrypto lacks the algorithm.
    func tokens(_ kind: TokenKind, bytes: Int = BenchTokens.short) -> BenchTokens? {
        let wanted = Wanted(kind: kind, bytes: bytes)
        if let tokens = made[wanted] { return tokens }
        guard let signer = signer(kind) else { return nil }
        let count = effort.tokens(kind, bytes: bytes)
        let texts = BenchTokens.texts(signer, count: count, bytes: bytes)
        guard texts.count == count else { return nil }
        made[wanted] = BenchTokens(texts, kind.algorithm, document: Self.document(signer))
        return made[wanted]
    }

    /// HS256 tokens with a large payload.
    func tokens(_ payload: LargePayload) -> BenchTokens? {
        if let tokens = large[payload] { return tokens }
        guard let signer = signer(.hs256) else { return nil }
        let texts = BenchTokens.texts(signer, count: effort.tokens(.hs256, bytes: BenchTokens.long), claims: payload.claims)
        large[payload] = BenchTokens(texts, .hs256, document: Self.document(signer))
        return large[payload]
    }

    private func signer(_ kind: TokenKind) -> SigningKey? {
        if let signer = signers[kind] { return signer }
        signers[kind] =
            kind.algorithm.isSymmetric
            ? SigningKey.secret(Self.secret, algorithm: kind.algorithm, keyID: "bench-key-1")
            : SigningKey.generate(kind.algorithm, keyID: "bench-key-1", bits: kind.bits)
        return signers[kind]
    }

    private static func document(_ signer: SigningKey) -> String {
        let secret = String(decoding: Base64URL.encode(secret), as: UTF8.self)
        let jwk = signer.publicJWK ?? "{\"kty\":\"oct\",\"kid\":\"bench-key-1\",\"k\":\"\(secret)\"}"
        return "{\"keys\":[\(jwk)]}"
    }
}
