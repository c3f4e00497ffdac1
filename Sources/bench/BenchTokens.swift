import JWTCore
import JWTSigning

/// Distinct tokens of one kind, with a verifier that accepts them.
struct BenchTokens: Sendable {
    let texts: [[UInt8]]
    let algorithm: SignatureAlgorithm
    /// A JWK Set.
    let document: String
    let keys: KeySet
    let policy: ClaimsPolicy
    let verifier: TokenVerifier<KeySet>
    /// The signing input and signature of each token.
    let signed: [(message: [UInt8], signature: [UInt8])]
    private let share: TokenShare
    private let messages: ByteStrings
    private let signatures: ByteStrings

    /// The sizes in bytes to which tokens are filled up. An RS256 token has 633 bytes without filling.
    static let short = 600
    static let long = 2_048
    /// A time at which the tokens have expired.
    static let tooLate: NumericDate = 4_102_448_400

    /// Nil for a document that cannot be read.
    init?(_ texts: [[UInt8]], _ algorithm: SignatureAlgorithm, document: String) {
        guard let keys = try? KeySet(jwks: document) else { return nil }
        var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
        policy.algorithms = [algorithm]
        self.document = document
        self.policy = policy
        self.texts = texts
        self.algorithm = algorithm
        self.keys = keys
        keys.prepare()
        verifier = TokenVerifier(keys: keys, policy: policy)
        signed = texts.map(Self.parts)
        share = TokenShare(copying: texts, verifier)
        messages = ByteStrings(signed.map(\.message))
        signatures = ByteStrings(signed.map(\.signature))
    }

    var key: VerificationKey { keys.keys[0] }

    /// A copy of the tokens for each of `count` threads.
    func shares(_ count: Int, _ verifier: TokenVerifier<KeySet>? = nil) -> [TokenShare] {
        (0..<count).map { _ in TokenShare(copying: texts, verifier ?? self.verifier) }
    }

    // Verifying. Each operation gets the ordinal of its call and cycles through the tokens.

    func verifies(_ ordinal: Int) -> Bool { share.verifies(ordinal) }

    /// A whole batch.
    func verifiesBatch(_ ordinal: Int) -> Bool { share.verifiesBatch(ordinal) }

    /// Verifies only the signature, on its decoded bytes.
    func signatureVerifies(_ ordinal: Int) -> Bool {
        SignatureEngine.verify(algorithm, key: key, message: messages[ordinal], signature: signatures[ordinal])
    }

    /// Splits, decodes and tokenizes the token without verifying it.
    func isReadable(_ ordinal: Int) -> Bool {
        let text = texts[ordinal % texts.count]
        do throws(VerificationError) {
            _ = try UnverifiedClaims(reading: text.span)
            return true
        } catch {
            return false
        }
    }

    /// The reason for a refusal; nil if the token is accepted.
    func refusal(_ text: [UInt8], now: NumericDate? = nil) -> VerificationError.Code? {
        do throws(VerificationError) {
            return try verifier.withVerified(text.span, now: now) { _ in nil }
        } catch {
            return error.code
        }
    }

    private static func parts(_ text: [UInt8]) -> (message: [UInt8], signature: [UInt8]) {
        let dot = text.lastIndex(of: UInt8(ascii: ".")) ?? 0
        return (Array(text[..<dot]), (try? Base64URL.bytes(Array(text[(dot + 1)...]).span)) ?? [])
    }
}

// Making

extension BenchTokens {
    /// Tokens of at least about `bytes` bytes.
    static func texts(_ key: SigningKey, count: Int, bytes: Int) -> [[UInt8]] {
        let bare = token(key, claims(0, groups: 0))?.count ?? 0
        let groups = groups(filling: bytes - bare)
        return texts(key, count: count) { claims($0, groups: groups) }
    }

    /// Signs `count` tokens on all cores, because thousands of RSA signatures take long.
    ///
    /// - Parameter claims: the payload of the token with this ordinal.
    static func texts(_ key: SigningKey, count: Int, claims: @escaping @Sendable (Int) -> String) -> [[UInt8]] {
        let shares = PinnedThreads.run(Array(0..<Effort.cores)) { share in
            stride(from: share, to: count, by: Effort.cores).compactMap { token(key, claims($0)) }
        }
        return shares.flatMap { $0 }
    }

    /// Entries of a `groups` claim that lengthen a token by about `bytes`; a byte of payload takes four thirds of a byte in base64url.
    private static func groups(filling bytes: Int) -> Int { max(0, (bytes * 3 / 4 - ",\"groups\":[]".count) / groupLength) }

    private static let groupLength = "\"/teams/1000\",".count

    private static func token(_ key: SigningKey, _ claims: String) -> [UInt8]? {
        TokenSigner(key).token(payload: claims).map { Array($0.utf8) }
    }

    /// Eight typical id_token claims, and the given groups. They are valid until 2100 by the machine's clock; reading that clock is part of
    /// the measured cost.
    private static func claims(_ ordinal: Int, groups: Int) -> String {
        let teams = (0..<groups).map { "\"/teams/\(1000 + $0)\"" }.joined(separator: ",")
        return """
            {"iss":"https://idp.example","sub":"24828976\(1000 + ordinal)","aud":"client-1","exp":4102444800,"iat":1700000000,\
            "auth_time":1699999990,"nonce":"n-0S6_WzA2Mj\(1000 + ordinal)","name":"Jane Doe"\(groups > 0 ? ",\"groups\":[\(teams)]" : "")}
            """
    }
}
