import JWTCore
import JWTTestSupport
import Testing

/// Valid and invalid JWK Set documents, and the state of each key in them.
struct KeySetTests {
    @Test(arguments: [
        ("", "invalid_json"), ("{", "invalid_json"), ("[]", "invalid_key"), ("null", "invalid_key"), ("0", "invalid_key"),
        (#""keys""#, "invalid_key"), ("{}", "invalid_key"), (#"{"keys":null}"#, "invalid_key"), (#"{"keys":{}}"#, "invalid_key"),
        (#"{"keys":""}"#, "invalid_key"), (#"{"Keys":[]}"#, "invalid_key"), (#"{"keys":[]}"#, "valid"),
        (#"{"keys":[],"other":{"a":[1]}}"#, "valid"), (#"{"keys":[]}x"#, "invalid_json"), (#"{"keys":[],}"#, "invalid_json"),
        (#"{"keys":[],"keys":[]}"#, "duplicate_member"), (#"{"keys":[],"\u006beys":[]}"#, "duplicate_member"),
        (#"{"keys":[{"n":"","n":""}]}"#, "duplicate_member"), (#"{"a":{"b":1,"b":1},"keys":[]}"#, "duplicate_member"),
        ("\u{feff}{\"keys\":[]}", "invalid_json"), (#"{"keys":["\ud800"]}"#, "invalid_json"), ("{\"keys\":[]}\0", "invalid_json"),
        ("{\"keys\":[null\0]}", "invalid_json"), (#"{"a":1\#0,"keys":[]}"#, "invalid_json"), (#"{"a":1e999,"keys":[]}"#, "invalid_json"),
        (#"{"a":123456789012345678901234567890,"keys":[]}"#, "valid"),
    ])
    func documentIsAnObjectWithAListOfKeys(document: String, expected: String) {
        #expect(loading(document) == expected)
    }

    @Test
    func illFormedUTF8IsRefusedWhereItBegins() {
        let document = Array(#"{"keys":[],"a":""#.utf8) + [0xc0, 0xaf] + Array("\"}".utf8)
        #expect(outcome { _ = try KeySet(jwks: document.span) } == "invalid_utf8@16")
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func keysAreAtMost256(count: Int) {
        let document = "{\"keys\":[\(Array(repeating: "{\"kty\":\"?\"}", count: count).joined(separator: ","))]}"
        #expect(loading(document) == (count <= 256 ? "valid" : "too_many_members"))
    }

    @Test(arguments: [(262_144, "valid"), (262_145, "token_too_large@262144"), (4 << 20, "token_too_large@262144")])
    func documentIsAtMost256KiB(length: Int, expected: String) {
        let document = #"{"keys":[]}"# + String(repeating: " ", count: length - 11)
        #expect(outcome { _ = try KeySet(jwks: document) } == expected)
    }

    @Test(arguments: [(100, "valid"), (1_000, "valid"), (2_100, "invalid_json"), (100_000, "invalid_json")])
    func deepDocumentsAreReadOrRefusedAndSurvived(depth: Int, expected: String) {
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(loading(#"{"keys":[],"x":\#(deep)}"#) == expected)
        #expect(loading(#"{"keys":[{"kty":"EC","x":\#(deep)}]}"#) == expected)
    }

    /// A broken key and its error. GHSA-w6j9-cwv2-h6wq: one malformed key must not fail the set.
    struct BrokenKey: CustomTestStringConvertible {
        let jwk: String
        let refusal: String
        var testDescription: String { "\(jwk.prefix(60)): \(refusal)" }
    }

    private static let ec = Forges.es256.members, rsa = Forges.rs256.members, okp = Forges.ed25519.members
    private static let modulus = bytes(rsa["n"])

    private static let brokenJWKs: [String: [String]] = [
        "key_algorithm_mismatch": [
            "1", "null", #"{"kty":1}"#, jwk(ec, ["kty": nil]), #"{"kty":"AKP","alg":"ML-DSA-99","pub":"AAAA"}"#, jwk(ec, ["crv": "P-384"]),
            jwk(ec, ["crv": 1]), jwk(ec, ["alg": "bogus"]), jwk(ec, ["alg": 1]), jwk(okp, ["crv": "X25519"]), jwk(okp, ["alg": "Ed448"]),
            #"{"kty":"oct","alg":"RS256","k":"\#(base64url(Array(repeating: 1, count: 64)))"}"#,
        ],
        "key_use_mismatch": [
            jwk(ec, ["use": "enc"]), jwk(ec, ["use": 1]), jwk(ec, ["key_ops": [] as [String]]), jwk(ec, ["key_ops": "verify"]),
            jwk(ec, ["key_ops": ["verify", 1] as [any Sendable]]),
        ],
        "invalid_key": [
            jwk(ec, ["kid": 1]), jwk(ec, ["x": nil]), jwk(ec, ["y": 1]), jwk(ec, ["x": ec["y"]]),
            jwk(ec, ["x": base64url([0] + bytes(ec["x"]))]), jwk(ec, ["x": "+/+/"]), jwk(okp, ["x": ""]),
            jwk(okp, ["d": base64url(Array(repeating: 9, count: 32))]), jwk(okp, ["d": 1]), jwk(rsa, ["n": nil]), jwk(rsa, ["e": nil]),
            jwk(rsa, ["n": base64url(modulus.dropLast() + [modulus[255] ^ 1])]),
            jwk(rsa, ["n": base64url([UInt8](repeating: 0xff, count: 1_025))]), jwk(rsa, ["e": "AA"]), jwk(rsa, ["e": "AQAA"]),
            jwk(rsa, ["e": base64url([1, 0, 0, 0, 0, 0, 0, 0, 1])]), #"{"kty":"oct"}"#,
            #"{"kty":"oct","k":"\#(base64url(Array(repeating: 1, count: 1_025)))"}"#,
        ],
        "weak_key": [
            jwk(rsa, ["n": ""]), jwk(rsa, ["n": base64url([UInt8](repeating: 0, count: 200) + modulus.prefix(128))]),
            #"{"kty":"oct","k":"AAAA"}"#,
        ],
    ]

    static let brokenKeys = brokenJWKs.flatMap { refusal, jwks in jwks.map { BrokenKey(jwk: $0, refusal: refusal) } }

    @Test(arguments: brokenKeys)
    func aBadKeyKeepsItsReasonAndCostsNobodyElse(broken: BrokenKey) throws {
        let good = Forges.of(.ps256)
        let set = try KeySet(jwks: "{\"keys\":[\(broken.jwk),\(good.jwk),\(broken.jwk)]}")
        #expect(set.keys.map { $0.unusableReason?.name } == [broken.refusal, nil, broken.refusal])
        #expect(TokenVerifier(keys: set, policy: .lenient).verdict(good.token()) == "valid")
    }

    @Test
    func postQuantumKeysStandBesideOthersWhetherOrNotTheyCanBeUsed() throws {
        let akp = #"{"kty":"AKP","alg":"ML-DSA-44","kid":"pq","pub":"\#(base64url(Array(repeating: 7, count: 1_312)))"}"#
        let set = TokenForge.keySet([akp, Forges.rs256.jwk])
        #expect(set.keys[0].unusableReason == (SignatureAlgorithm.mlDSA44.isAvailable ? nil : .unsupportedAlgorithm))
        #expect(set.keys[0].curve == .mlDSA44)
        #expect(TokenVerifier(keys: set, policy: .lenient).verdict(Forges.rs256.token()) == "valid")
    }

    @Test(
        arguments: [
            ([:], []), (["e": "Aw"], [.smallExponent]), (["e": "AAEAAQ"], []), (["e": "AQE"], [.smallExponent]),
            (["d": "AAAA"], [.privateMaterial]), (["n": base64url([0] + modulus)], [.leadingZeros]),
            (["n": base64url([0, 0] + modulus), "e": "Aw", "d": 1], [.leadingZeros, .smallExponent, .privateMaterial]),
        ] as [([String: any Sendable], [VerificationKey.Advisory])])
    func whatShouldBeKnownOfAUsableKeyIsAdvised(changes: [String: any Sendable], advisories: [VerificationKey.Advisory]) {
        let key = TokenForge.keySet([jwk(Self.rsa, changes)]).keys[0]
        #expect(key.unusableReason == nil)
        #expect(key.bits == 2_048)
        #expect(key.advisories == advisories)
    }

    @Test
    func whatAKeySaysOfItselfIsKept() {
        let key = TokenForge.keySet([jwk(Self.ec, ["use": "sig", "key_ops": ["verify"], "kid": "k\u{e9}y", "x5c": ["ignored"]])]).keys[0]
        #expect(key.unusableReason == nil)
        #expect([key.keyID, key.typeName, key.curveName, key.algorithmName, key.use] == ["k\u{e9}y", "EC", "P-256", "ES256", "sig"])
        #expect(key.operations == ["verify"])
        #expect(key.type == .ec && key.curve == .p256 && key.bits == 256)
        #expect(key.algorithms == [.es256])
    }

    private func loading(_ document: String) -> String {
        verdict { _ = try KeySet(jwks: document) }
    }
}
