import JWTCore
import JWTSigning

/// What one row measures: whole verifications, and what they are compared with.
struct Workload: Sendable {
    let name: String
    let prepare: @Sendable () -> Prepared?

    /// Two operations on the same tokens, each given the ordinal of its call. False is a wrong answer and ends the run.
    struct Prepared {
        let ours: (Int) -> Bool
        /// OpenSSL's bare operation; nil where there is none to compare with.
        let raw: ((Int) -> Bool)?
        /// What is taken off our time in each round, for rows that measure a difference.
        var baseline: ((Int) -> Bool)?
    }

    static let all: [Workload] = [
        signature("rs256.single", .rs256), signature("rs3072.single", .rs256, bits: 3072), signature("rs4096.single", .rs256, bits: 4096),
        signature("ps256.single", .ps256), signature("es256.single", .es256), signature("es384.single", .es384),
        signature("ed25519.single", .ed25519), signature("hs256.single", .hs256), overhead, junk,
        batch("rs256.batch", .rs256), batch("rs4096.batch", .rs256, bits: 4096), batch("es256.batch", .es256),
        batch("ed25519.batch", .ed25519),
    ]

    private static let tokensPerKind = 64
    private static let now: NumericDate = 1_700_000_100

    private static func signature(_ name: String, _ algorithm: SignatureAlgorithm, bits: Int = 2048) -> Workload {
        Workload(name: name) {
            guard let tokens = BenchTokens(algorithm, bits: bits, count: tokensPerKind), let raw = RawOpenSSL(tokens) else { return nil }
            return Prepared(ours: { tokens.verifies($0, now: now) }, raw: raw.verifies)
        }
    }

    private static func batch(_ name: String, _ algorithm: SignatureAlgorithm, bits: Int = 2048) -> Workload {
        Workload(name: name) {
            guard let tokens = BenchTokens(algorithm, bits: bits, count: tokensPerKind), let raw = RawOpenSSL(tokens) else { return nil }
            return Prepared(ours: { $0 % 64 != 0 || tokens.verifiesAll(now: now) }, raw: raw.verifies)
        }
    }

    /// All but cryptography, of a token of about 640 bytes: a whole HS256 verification less its HMAC.
    private static let overhead = Workload(name: "overhead.640") {
        guard let tokens = BenchTokens(.hs256, bits: 0, count: tokensPerKind) else { return nil }
        return Prepared(ours: { tokens.verifies($0, now: now) }, raw: nil, baseline: tokens.signatureVerifies)
    }

    /// Malformed junk as scanners and broken clients send it.
    private static let junk = Workload(name: "refuse.junk") {
        guard let tokens = BenchTokens(.rs256, bits: 2048, count: 1) else { return nil }
        let good = tokens.texts[0]
        let junk: [[UInt8]] = [
            Array("null".utf8), Array("Bearer".utf8), Array("a.b.c".utf8), Array("..".utf8), Array(good.dropLast(400)),
            Array("!".utf8) + good.dropFirst(), good + Array("=".utf8), Array("eyJhbGciOiJub25lIn0.e30.".utf8),
            Array(repeating: UInt8(ascii: "."), count: 1000), Array(repeating: UInt8(ascii: "A"), count: 2000),
        ]
        return Prepared(ours: { !tokens.verifies(junk[$0 % junk.count], now: now) }, raw: nil)
    }
}

/// Tokens of one algorithm with the verifier that takes them.
struct BenchTokens {
    let texts: [[UInt8]]
    let algorithm: SignatureAlgorithm
    let key: VerificationKey
    /// Signing input and signature of each token.
    let signed: [(message: [UInt8], signature: [UInt8])]
    private let verifier: TokenVerifier<KeySet>
    private var batch = TokenBatch()

    /// Nil where libcrypto lacks the algorithm.
    init?(_ algorithm: SignatureAlgorithm, bits: Int, count: Int) {
        let secret = Array("a secret of thirty-two bytes, or more".utf8)
        let made =
            algorithm.isSymmetric
            ? SigningKey.secret(secret, algorithm: algorithm, keyID: "bench-key-1")
            : SigningKey.generate(algorithm, keyID: "bench-key-1", bits: bits)
        guard let signingKey = made else { return nil }
        let jwk =
            signingKey.publicJWK
            ?? "{\"kty\":\"oct\",\"kid\":\"bench-key-1\",\"k\":\"\(String(decoding: Base64URL.encode(secret), as: UTF8.self))\"}"
        guard let keys = try? KeySet(jwks: "{\"keys\":[\(jwk)]}") else { return nil }
        var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
        policy.algorithms = [algorithm]
        self.algorithm = algorithm
        key = keys.keys[0]
        keys.prepare()
        verifier = TokenVerifier(keys: keys, policy: policy)
        texts = (0..<count).compactMap { ordinal in TokenSigner(signingKey).token(payload: Self.claims(ordinal)).map { Array($0.utf8) } }
        signed = texts.map(Self.parts)
        for text in texts { batch.append(text.span) }
    }

    /// Eight claims, so that an RS256 token with a 2048-bit key has about 640 bytes.
    private static func claims(_ ordinal: Int) -> String {
        """
        {"iss":"https://idp.example","sub":"24828976\(1000 + ordinal)","aud":"client-1","exp":1700003600,"iat":1700000000,\
        "auth_time":1699999990,"nonce":"n-0S6_WzA2Mj\(1000 + ordinal)","name":"Jane Doe"}
        """
    }

    func verifies(_ ordinal: Int, now: NumericDate) -> Bool { verifies(texts[ordinal % texts.count], now: now) }

    func verifies(_ text: [UInt8], now: NumericDate) -> Bool {
        do throws(VerificationError) {
            return try verifier.withVerified(text.span, now: now) { _ in true }
        } catch {
            return false
        }
    }

    /// All of them in one batch.
    func verifiesAll(now: NumericDate) -> Bool {
        var count = 0
        verifier.withVerified(batch, now: now) { _, _ in count += 1 } refused: { _, _ in }
        return count == batch.count
    }

    /// The signature alone, on its decoded bytes.
    func signatureVerifies(_ ordinal: Int) -> Bool {
        let parts = signed[ordinal % texts.count]
        return SignatureEngine.verify(algorithm, key: key, message: parts.message.span, signature: parts.signature.span)
    }

    private static func parts(_ text: [UInt8]) -> (message: [UInt8], signature: [UInt8]) {
        let dot = text.lastIndex(of: UInt8(ascii: ".")) ?? 0
        return (Array(text[..<dot]), (try? Base64URL.bytes(Array(text[(dot + 1)...]).span)) ?? [])
    }
}
