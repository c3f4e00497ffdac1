import JWTCore
import JWTSigning

/// Distinct tokens of one kind, with the verifier that takes them.
struct BenchTokens: Sendable {
    let texts: [[UInt8]]
    let algorithm: SignatureAlgorithm
    let keys: KeySet
    let verifier: TokenVerifier<KeySet>
    /// Signing input and signature of each token.
    let signed: [(message: [UInt8], signature: [UInt8])]
    private let share: TokenShare
    private let messages: ByteStrings
    private let signatures: ByteStrings

    /// The sizes in bytes that tokens are filled up to. An RS256 token has 633 without filling.
    static let short = 600
    static let long = 2_048
    /// A moment at which the tokens have expired.
    static let tooLate: NumericDate = 4_102_448_400

    init(_ texts: [[UInt8]], _ algorithm: SignatureAlgorithm, keys: KeySet) {
        var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
        policy.algorithms = [algorithm]
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

    /// The tokens once for each of `count` threads.
    func shares(_ count: Int, _ verifier: TokenVerifier<KeySet>? = nil) -> [TokenShare] {
        (0..<count).map { _ in TokenShare(copying: texts, verifier ?? self.verifier) }
    }

    // Verifying. Each is given the ordinal of its call and goes round.

    func verifies(_ ordinal: Int) -> Bool { share.verifies(ordinal) }

    /// A whole batch.
    func verifiesBatch(_ ordinal: Int) -> Bool { share.verifiesBatch(ordinal) }

    /// The signature alone, on its decoded bytes.
    func signatureVerifies(_ ordinal: Int) -> Bool {
        SignatureEngine.verify(algorithm, key: key, message: messages[ordinal], signature: signatures[ordinal])
    }

    /// Split, decoded and tokenized, and nothing verified.
    func isReadable(_ ordinal: Int) -> Bool {
        let text = texts[ordinal % texts.count]
        do throws(VerificationError) {
            _ = try UnverifiedClaims(reading: text.span)
            return true
        } catch {
            return false
        }
    }

    /// Why a token is refused; nil if it is not.
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
    /// Signs `count` tokens, on every core: thousands of RSA signatures take a while.
    static func texts(_ key: SigningKey, count: Int, bytes: Int) -> [[UInt8]] {
        let bare = token(key, 0, groups: 0)?.count ?? 0
        let groups = groups(filling: bytes - bare)
        let shares = PinnedThreads.run(Array(0..<Effort.cores)) { share in
            stride(from: share, to: count, by: Effort.cores).compactMap { token(key, $0, groups: groups) }
        }
        return shares.flatMap { $0 }
    }

    /// Entries of a `groups` claim that make a token longer by about `bytes`; a byte of payload takes four thirds in base64url.
    private static func groups(filling bytes: Int) -> Int { max(0, (bytes * 3 / 4 - ",\"groups\":[]".count) / groupLength) }

    private static let groupLength = "\"/teams/1000\",".count

    private static func token(_ key: SigningKey, _ ordinal: Int, groups: Int) -> [UInt8]? {
        TokenSigner(key).token(payload: claims(ordinal, groups: groups)).map { Array($0.utf8) }
    }

    /// Eight claims as an id_token has them, and as many groups as wanted. They hold until 2100, by the clock of the machine, which is part
    /// of what a verification costs.
    private static func claims(_ ordinal: Int, groups: Int) -> String {
        let teams = (0..<groups).map { "\"/teams/\(1000 + $0)\"" }.joined(separator: ",")
        return """
            {"iss":"https://idp.example","sub":"24828976\(1000 + ordinal)","aud":"client-1","exp":4102444800,"iat":1700000000,\
            "auth_time":1699999990,"nonce":"n-0S6_WzA2Mj\(1000 + ordinal)","name":"Jane Doe"\(groups > 0 ? ",\"groups\":[\(teams)]" : "")}
            """
    }
}
