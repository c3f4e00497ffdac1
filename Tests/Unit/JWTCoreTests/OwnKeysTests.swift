import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// A set of several keys of the program's own, from different documents.
struct OwnKeysTests {
    private static let secret = Array("a shared secret of 32 bytes, old".utf8), newSecret = Array("a shared secret of 32 bytes, new".utf8)

    private static func mixed() throws -> KeySet {
        try KeySet([
            VerificationKey(pem: PublicKeyDocument.rsa.pem, keyID: "pem"),
            VerificationKey(importing: PublicKeyDocument.ec.der, keyID: "der"),
            VerificationKey(jwk: Forges.es256.jwk), VerificationKey(secret: secret, keyID: "secret", algorithm: .hs256),
            VerificationKey(pem: PublicKeyDocument.ed25519.pem, keyID: "pem"),
        ])
    }

    @Test
    func keysAreFoundByTheirNames() throws {
        let keys = try Self.mixed()
        #expect(keys.keys.map(\.keyID) == ["pem", "der", "test-key", "secret", "pem"])
        #expect(keys[keyID: "pem"].map { $0.type?.rawValue } == ["RSA", "OKP"])
        #expect(keys[keyID: "der"].map(\.bits) == [256])
        for unknown in ["", "PEM", "pem ", "pe\u{0}m"] { #expect(keys[keyID: unknown].isEmpty) }
    }

    @Test
    func aTokenOfANamedKeyIsVerifiedByIt() throws {
        let verifier = TokenVerifier(keys: try Self.mixed(), policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
        #expect(verifier.verdict(Forges.es256.token()) == "valid")
        #expect(verifier.verdict(TokenForge(.es256, keyID: "der").token()) == "signature_invalid")
        #expect(verifier.verdict(TokenForge(.es256, keyID: "none").token()) == "unknown_key")
    }

    @Test
    func secretsRotateByName() throws {
        let keys = try KeySet([
            VerificationKey(secret: Self.secret, keyID: "old"), VerificationKey(secret: Self.newSecret, keyID: "new"),
        ])
        var policy = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")
        policy.algorithms = [.hs256]
        let verifier = TokenVerifier(keys: keys, policy: policy)
        for (name, secret, expected) in [
            ("old", Self.secret, "valid"), ("new", Self.newSecret, "valid"), ("new", Self.secret, "signature_invalid"),
            ("other", Self.secret, "unknown_key"),
        ] {
            let token = try #require(HMACToken.signed(secret, keyID: name))
            #expect(verifier.verdict(token) == expected, "\(name)")
        }
    }

    @Test
    func aSetHasALimit() throws {
        let key = try VerificationKey(secret: Self.secret)
        #expect(verdict { _ = try KeySet(Array(repeating: key, count: KeySet.maximumKeys)) } == "valid")
        #expect(verdict { _ = try KeySet(Array(repeating: key, count: KeySet.maximumKeys + 1)) } == "too_many_members")
        #expect(TokenVerifier(keys: try KeySet([]), policy: .lenient).verdict(Forges.es256.token()) == "unknown_key")
    }

    @Test(arguments: [
        ("{}", "invalid_key"), ("[]", "invalid_key"), (#"{"keys":[]}"#, "invalid_key"), ("{", "invalid_json"),
        (#"{"kty":"EC","kty":"EC"}"#, "duplicate_member"), (#"{"kty":"oct","k":"c2hvcnQ"}"#, "weak_key"),
        (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "invalid_key"), (#"{"kty":"new"}"#, "key_algorithm_mismatch"),
    ])
    func aJWKThatCannotBeUsedIsRefused(document: String, expected: String) {
        #expect(verdict { _ = try VerificationKey(jwk: document) } == expected)
        #expect(verdict { _ = try VerificationKey(jwk: Array(document.utf8)) } == expected)
    }
}

private enum HMACToken {
    static func signed(_ secret: [UInt8], keyID: String) -> String? {
        SigningKey.secret(secret, algorithm: .hs256, keyID: keyID).flatMap { TokenSigner($0).token(payload: TokenForge.idToken) }
    }
}
