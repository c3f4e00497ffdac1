import AssayTesting
import JWTCore
import Testing

@Suite struct TestKeyTests {
    static let algorithms: [SignatureAlgorithm] = SignatureAlgorithm.all.filter(\.isAvailable)
    /// The algorithms whose private keys have a JWK.
    static let written: [SignatureAlgorithm] = [
        .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .es256k, .edDSA, .ed25519, .ed448, .hs256, .hs384, .hs512,
    ]

    private static let keys = Result { try made() }
    private static let others = Result { try made() }

    /// A key for each algorithm. Those of RSA have one modulus: making it is slow.
    private static func made() throws -> [SignatureAlgorithm: TestKey] {
        let rsa = try TestKey(.rs256).privateJWK
        let keys = try algorithms.map { algorithm in
            let isRSA = algorithm.name.hasPrefix("RS") || algorithm.name.hasPrefix("PS")
            return try isRSA ? TestKey(privateJWK: rsa.replacing("\"RS256\"", with: "\"\(algorithm.name)\"")) : TestKey(algorithm)
        }
        return Dictionary(uniqueKeysWithValues: zip(algorithms, keys))
    }

    /// A verifier of tokens under `key`, whatever their claims.
    private static func verifier(_ key: TestKey) throws -> TokenVerifier<KeySet> {
        var policy = ClaimsPolicy()
        policy.algorithms = [key.algorithm]
        policy.requiresExpiration = false
        return TokenVerifier(keys: try key.keySet, policy: policy)
    }

    @Test(arguments: algorithms) func aTokenIsValidUnderItsKeyAlone(_ algorithm: SignatureAlgorithm) throws {
        let key = try #require(Self.keys.get()[algorithm]), other = try #require(Self.others.get()[algorithm])
        let token = try key.token(claims: ["sub": "jane"])
        let verified = try Self.verifier(key).verify(token)
        #expect(verified.subject == "jane" && verified.keyID == "test-key" && verified.algorithm == algorithm)
        #expect(throws: VerificationError.self) { try Self.verifier(other).verify(token) }
    }

    @Test(arguments: written) func aKeyComesBackFromItsPrivateJWK(_ algorithm: SignatureAlgorithm) throws {
        let key = try #require(Self.keys.get()[algorithm])
        let copy = try TestKey(privateJWK: key.privateJWK)
        #expect(copy.algorithm == algorithm && copy.keyID == "test-key" && copy.publicJWK == key.publicJWK)
        #expect(try Self.verifier(key).verify(copy.token(claims: ["sub": "jane"])).subject == "jane")
        #expect(try copy.privateJWK == key.privateJWK)
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .ed25519])
    func thePublicSetHasNoPrivateMember(_ algorithm: SignatureAlgorithm) throws {
        let key = try TestKey(algorithm)
        let document = TestKey.jwks(of: [key, try TestKey(.hs256, keyID: "secret")])
        for member in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(!document.contains("\"\(member)\":")) }
        #expect(try KeySet(jwks: document).keys.map(\.keyID) == ["test-key"])
        #expect(try key.privateJWK.contains("\"d\":"))
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .ed25519, .hs256])
    func noDescriptionShowsTheKey(_ algorithm: SignatureAlgorithm) throws {
        let key = try TestKey(algorithm)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("UInt8") && !text.contains("secret") && !text.contains("0x"), "\(text)")
        }
        #expect("\(key)" == "\(algorithm.name) key for tests, kid test-key")
    }

    @Test func aHalfFromAnotherKeyIsRefused() throws {
        for algorithm in [SignatureAlgorithm.es256, .ed25519, .rs256] {
            let jwk = try TestKey(algorithm).privateJWK, other = try TestKey(algorithm).privateJWK
            let member = algorithm == .rs256 ? "n" : "x"
            let mixed = jwk.replacing(Self.value(member, jwk), with: Self.value(member, other))
            #expect(mixed != jwk)
            #expect(throws: TestKeyError.mismatch) { try TestKey(privateJWK: mixed) }
        }
    }

    /// The value of a member of a JWK, with its quotes; no member is empty.
    private static func value(_ member: String, _ jwk: String) -> String {
        let start = jwk.firstRange(of: "\"\(member)\":\"")
        return start.map { "\"" + jwk[$0.upperBound...].prefix { $0 != "\"" } + "\"" } ?? ""
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"kty":"EC"}"#, #"{"kty":"EC","alg":"ES256","crv":"P-256"}"#, #"{"kty":"oct","alg":"HS256"}"#,
        #"{"kty":"EC","alg":"ES256","crv":"P-256","d":"AAAA+"}"#, #"{"kty":"OKP","alg":"EdDSA","crv":"Ed25519","d":"AAAA"}"#,
        #"{"kty":"RSA","alg":"RS256","n":"AQAB","e":"AQAB","d":"AQAB"}"#,
    ])
    func whatIsNoPrivateJWKIsRefused(_ document: String) {
        #expect(throws: TestKeyError.notAPrivateJWK) { try TestKey(privateJWK: document) }
    }

    @Test(arguments: written) func itsPEMIsItsPublicKey(_ algorithm: SignatureAlgorithm) throws {
        let key = try #require(Self.keys.get()[algorithm])
        guard let pem = key.publicPEM else {
            #expect(algorithm.isSymmetric)
            return
        }
        let verifier = TokenVerifier(keys: KeySet(try VerificationKey(pem: pem, algorithm: algorithm)), policy: ClaimsPolicy())
        #expect(try verifier.verify(key.token(claims: ["exp": 1_700_000_000]), now: 1_699_999_999).algorithm == algorithm)
    }

    @Test func aPublicJWKIsNoPrivateOne() throws {
        let jwk = try #require(TestKey(.es256).publicJWK)
        #expect(throws: TestKeyError.notAPrivateJWK) { try TestKey(privateJWK: jwk) }
    }

    @Test func aShortSecretIsRefused() {
        #expect(throws: TestKeyError.weakSecret) { try TestKey(secret: Array(repeating: 1, count: 31), algorithm: .hs256) }
        #expect(throws: TestKeyError.unavailable(.es256)) { try TestKey(secret: Array(repeating: 1, count: 32), algorithm: .es256) }
    }
}
