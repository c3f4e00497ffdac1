import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// What is printed of a value that holds a claim, a nonce, a key or a token: nothing of them, however it is printed.
struct DescriptionTests {
    /// Planted wherever a value can hold text.
    private static let planted = "planted-5ecret"
    private static let secret = Array("planted-5ecret of 32 bytes length".utf8)

    private static func values() throws -> [any Sendable] {
        let forge = TokenForge(.es256, keyID: planted)
        let token = forge.token(#"{"sub":"\#(planted)","aud":"\#(planted)","nonce":"\#(planted)"}"#)
        var policy = ClaimsPolicy.lenient
        policy.audiences = [planted]
        let verifier = TokenVerifier(keys: forge.keySet, policy: policy)
        let verified = try verifier.verify(token, now: TokenForge.now)
        policy.issuers = [planted]
        policy.trustedAudiences = [planted]
        policy.authorizedParty = planted
        policy.subject = planted
        policy.scopes = [planted]
        policy.requiredClaims = [planted]
        policy.types = [planted]
        policy.contextClasses = [planted]
        policy.authenticationMethods = [planted]
        policy.nonce = planted
        policy.accessToken = planted
        policy.code = planted
        policy.revokedTokenIDs = [planted]
        let cache = VerifiedTokenCache(budget: 1 << 20), caching = verifier.caching(in: cache)
        for _ in 0..<2 { _ = try caching.verify(token, now: TokenForge.now) }
        #expect(cache.statistics.entries == 1)
        let hmac = try VerificationKey(secret: secret, keyID: planted)
        return [
            verified, try UnverifiedClaims(reading: token), TokenBatch([token]), policy, verifier, caching, cache,
            verifier.expecting(nonce: planted).expecting(accessToken: planted).expecting(code: planted),
            TokenRoute(policy: policy, keys: forge.keySet), forge.keySet, forge.keySet.keys[0], hmac, KeySet(hmac),
            try KeySet([hmac, forge.keySet.keys[0]]), forge.key, forge.signer, KeyIDHash(planted),
            Result<VerifiedToken, VerificationError>.success(verified),
        ]
    }

    /// Everything that the standard library prints of `value`.
    static func printed(_ value: some Any) -> [String] {
        var dumped = "", debugged = ""
        dump(value, to: &dumped)
        debugPrint(value, to: &debugged)
        return [
            "\(value)", String(describing: value), String(reflecting: value), dumped, debugged, "\([value])", "\(Optional(value) as Any)",
        ]
    }

    @Test
    func noPlantedSecretIsPrinted() throws {
        let secretText = String(decoding: Base64URL.encode(Self.secret), as: UTF8.self)
        for value in try Self.values() {
            for text in Self.printed(value) {
                #expect(!text.contains(Self.planted) && !text.contains(secretText), "\(type(of: value)): \(text)")
                // The bytes of the secret and of a token, as an array prints them.
                #expect(!text.contains("112, 108, 97, 110") && !text.contains("101, 121, 74"), "\(type(of: value)): \(text)")
            }
        }
    }

    /// The public members of a key are not secret, but neither is it the place to print them.
    @Test
    func noKeyMaterialIsPrinted() throws {
        let forge = Forges.es256, x = try #require(forge.members["x"] as? String)
        for value in [forge.keySet, forge.keySet.keys[0], forge.verifier(), forge.key] as [any Sendable] {
            for text in Self.printed(value) { #expect(!text.contains(x) && !text.contains("\(bytes(x).prefix(4))".dropLast())) }
        }
    }

    @Test
    func descriptionsSayWhatAValueIs() throws {
        let forge = Forges.es256, token = try forge.verifier().verify(forge.token(), now: TokenForge.now)
        #expect("\(token)" == "VerifiedToken(ES256, \(TokenForge.idToken.utf8.count) bytes)")
        #expect("\(forge.keySet)" == "KeySet(1 key)")
        #expect("\(try KeySet(jwks: #"{"keys":[{"kty":"x"},\#(forge.jwk)]}"#))" == "KeySet(2 keys, 1 unusable)")
        #expect("\(forge.keySet.keys[0])" == "VerificationKey(EC P-256, 256 bits)")
        var policy = ClaimsPolicy(issuer: "i", audience: "a")
        policy.algorithms = [.es256]
        #expect("\(policy)" == "ClaimsPolicy(issuers: 1, audiences: 1, algorithms: ES256)")
        #expect("\(forge.verifier(policy))" == "TokenVerifier(\(policy))")
        #expect("\(TokenBatch(["a", "b"]))" == "TokenBatch(2 tokens)")
    }
}
