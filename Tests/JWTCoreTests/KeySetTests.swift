import JWTCore
import JWTTestSupport
import Testing

/// What a JWK Set document may be, and what becomes of each key in it.
struct KeySetTests {
    @Test(arguments: [
        ("", "invalid_json"), ("{", "invalid_json"), ("[]", "invalid_key"), ("null", "invalid_key"), ("0", "invalid_key"),
        ("\"keys\"", "invalid_key"), ("{}", "invalid_key"),
        ("{\"keys\":null}", "invalid_key"), ("{\"keys\":{}}", "invalid_key"), ("{\"keys\":\"\"}", "invalid_key"),
        ("{\"Keys\":[]}", "invalid_key"),
        ("{\"keys\":[]}", "valid"), ("{\"keys\":[],\"other\":{\"a\":[1]}}", "valid"), ("{\"keys\":[]}x", "invalid_json"),
        ("{\"keys\":[],}", "invalid_json"),
        ("{\"keys\":[],\"keys\":[]}", "duplicate_member"), ("{\"keys\":[],\"\\u006beys\":[]}", "duplicate_member"),
        ("{\"keys\":[{\"n\":\"\",\"n\":\"\"}]}", "duplicate_member"),
        ("{\"a\":{\"b\":1,\"b\":1},\"keys\":[]}", "duplicate_member"), ("\u{feff}{\"keys\":[]}", "invalid_json"),
        ("{\"keys\":[\"\\ud800\"]}", "invalid_json"),
        ("{\"keys\":[]}\0", "invalid_json"), ("{\"keys\":[null\0]}", "invalid_json"), ("{\"a\":1\0,\"keys\":[]}", "invalid_json"),
        ("{\"a\":1e999,\"keys\":[]}", "invalid_json"),
        ("{\"a\":123456789012345678901234567890,\"keys\":[]}", "valid"),
    ])
    func documentIsAnObjectWithAListOfKeys(document: String, expected: String) {
        #expect(loading(document) == expected)
    }

    @Test
    func illFormedUTF8IsRefusedWhereItBegins() {
        let document = Array("{\"keys\":[],\"a\":\"".utf8) + [0xc0, 0xaf] + Array("\"}".utf8)
        #expect(outcome { _ = try KeySet(jwks: document.span) } == "invalid_utf8@16")
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func keysAreAtMost256(count: Int) {
        let document = "{\"keys\":[\(Array(repeating: "{\"kty\":\"?\"}", count: count).joined(separator: ","))]}"
        #expect(loading(document) == (count <= 256 ? "valid" : "too_many_members"))
    }

    @Test(arguments: [(262_144, "valid"), (262_145, "token_too_large@262144"), (4 << 20, "token_too_large@262144")])
    func documentIsAtMost256KiB(length: Int, expected: String) {
        let document = "{\"keys\":[]}" + String(repeating: " ", count: length - 11)
        #expect(outcome { _ = try KeySet(jwks: document) } == expected)
    }

    @Test(arguments: [(100, "valid"), (1_000, "valid"), (2_100, "invalid_json"), (100_000, "invalid_json")])
    func deepDocumentsAreReadOrRefusedAndSurvived(depth: Int, expected: String) {
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(loading("{\"keys\":[],\"x\":\(deep)}") == expected)
        #expect(loading("{\"keys\":[{\"kty\":\"EC\",\"x\":\(deep)}]}") == expected)
    }

    /// A broken key, and why. GHSA-w6j9-cwv2-h6wq: one malformed key must not fail the set.
    struct BrokenKey: CustomTestStringConvertible {
        let jwk: String
        let refusal: String
        var testDescription: String { "\(jwk.prefix(60)): \(refusal)" }
    }

    private static let ec = Forges.es256.members, rsa = Forges.rs256.members, okp = Forges.ed25519.members
    private static let modulus = bytes(rsa["n"])

    static let brokenKeys: [BrokenKey] = [
        ("1", "key_algorithm_mismatch"), ("null", "key_algorithm_mismatch"), ("\"RSA\"", "key_algorithm_mismatch"),
        ("[]", "key_algorithm_mismatch"),
        ("{}", "key_algorithm_mismatch"), ("{\"kty\":1}", "key_algorithm_mismatch"), ("{\"kty\":\"rsa\"}", "key_algorithm_mismatch"),
        (jwk(ec, ["kty": "unknown"]), "key_algorithm_mismatch"), (jwk(ec, ["kty": nil]), "key_algorithm_mismatch"),
        (jwk(okp, ["kty": "O\u{212a}P"]), "key_algorithm_mismatch"),
        ("{\"kty\":\"AKP\",\"alg\":\"ML-DSA-99\",\"pub\":\"AAAA\"}", "key_algorithm_mismatch"),
        (jwk(ec, ["crv": "P-384"]), "key_algorithm_mismatch"), (jwk(ec, ["crv": "P-999"]), "key_algorithm_mismatch"),
        (jwk(ec, ["crv": 1]), "key_algorithm_mismatch"),
        (jwk(ec, ["crv": nil]), "key_algorithm_mismatch"), (jwk(ec, ["alg": "RS256"]), "key_algorithm_mismatch"),
        (jwk(ec, ["alg": "bogus"]), "key_algorithm_mismatch"),
        (jwk(ec, ["alg": 1]), "key_algorithm_mismatch"), (jwk(okp, ["crv": "X25519"]), "key_algorithm_mismatch"),
        (jwk(okp, ["alg": "Ed448"]), "key_algorithm_mismatch"),
        (jwk(ec, ["use": "enc"]), "key_use_mismatch"), (jwk(ec, ["use": 1]), "key_use_mismatch"),
        (jwk(ec, ["use": ""]), "key_use_mismatch"), (jwk(ec, ["use": "SIG"]), "key_use_mismatch"),
        (jwk(ec, ["key_ops": ["sign"]]), "key_use_mismatch"), (jwk(ec, ["key_ops": [] as [String]]), "key_use_mismatch"),
        (jwk(ec, ["key_ops": "verify"]), "key_use_mismatch"),
        (jwk(ec, ["key_ops": ["verify", 1] as [any Sendable]]), "key_use_mismatch"), (jwk(ec, ["kid": 1]), "invalid_key"),
        (jwk(ec, ["x": nil]), "invalid_key"), (jwk(ec, ["y": nil]), "invalid_key"), (jwk(ec, ["y": 1]), "invalid_key"),
        (jwk(ec, ["x": ""]), "invalid_key"),
        (jwk(ec, ["x": ec["y"]]), "invalid_key"), (jwk(ec, ["x": base64url([0] + bytes(ec["x"]))]), "invalid_key"),
        (jwk(ec, ["x": base64url(bytes(ec["x"]).dropLast())]), "invalid_key"),
        (jwk(ec, ["x": base64url(Array(repeating: 0, count: 32)), "y": base64url(Array(repeating: 0, count: 32))]), "invalid_key"),
        (jwk(ec, ["x": base64url(Array(repeating: 0xff, count: 32))]), "invalid_key"),
        (jwk(ec, ["x": "\(ec["x"] ?? "")="]), "invalid_key"), (jwk(ec, ["x": "+/+/"]), "invalid_key"),
        (jwk(okp, ["x": ""]), "invalid_key"), (jwk(okp, ["x": base64url(Array(repeating: 1, count: 31))]), "invalid_key"),
        (jwk(okp, ["x": base64url(Array(repeating: 1, count: 33))]), "invalid_key"),
        (jwk(okp, ["d": base64url(Array(repeating: 9, count: 32))]), "invalid_key"), (jwk(okp, ["d": ""]), "invalid_key"),
        (jwk(okp, ["d": 1]), "invalid_key"),
        (jwk(rsa, ["n": ""]), "weak_key"), (jwk(rsa, ["n": nil]), "invalid_key"), (jwk(rsa, ["e": nil]), "invalid_key"),
        (jwk(rsa, ["n": "AQ"]), "weak_key"),
        (jwk(rsa, ["n": base64url(modulus.dropFirst())]), "weak_key"),
        (jwk(rsa, ["n": base64url(modulus.dropLast() + [modulus[255] ^ 1])]), "invalid_key"),
        (jwk(rsa, ["n": base64url([UInt8](repeating: 0, count: 200) + modulus.prefix(128))]), "weak_key"),
        (jwk(rsa, ["n": base64url([UInt8](repeating: 0xff, count: 1_025))]), "invalid_key"), (jwk(rsa, ["e": ""]), "invalid_key"),
        (jwk(rsa, ["e": "AA"]), "invalid_key"),
        (jwk(rsa, ["e": "AQ"]), "invalid_key"), (jwk(rsa, ["e": "Ag"]), "invalid_key"), (jwk(rsa, ["e": "AQAA"]), "invalid_key"),
        (jwk(rsa, ["e": base64url([1, 0, 0, 0, 0, 0, 0, 0, 1])]), "invalid_key"),
        ("{\"kty\":\"oct\",\"k\":\"\"}", "weak_key"), ("{\"kty\":\"oct\"}", "invalid_key"),
        ("{\"kty\":\"oct\",\"k\":\"AAAA\"}", "weak_key"), ("{\"kty\":\"oct\",\"k\":\"?\"}", "invalid_key"),
        ("{\"kty\":\"oct\",\"k\":\"\(base64url(Array(repeating: 1, count: 1_025)))\"}", "invalid_key"),
        ("{\"kty\":\"oct\",\"alg\":\"RS256\",\"k\":\"\(base64url(Array(repeating: 1, count: 64)))\"}", "key_algorithm_mismatch"),
    ].map { BrokenKey(jwk: $0, refusal: $1) }

    @Test(arguments: brokenKeys)
    func aBadKeyKeepsItsReasonAndCostsNobodyElse(broken: BrokenKey) throws {
        let good = Forges.of(.ps256)
        let set = try KeySet(jwks: "{\"keys\":[\(broken.jwk),\(good.jwk),\(broken.jwk)]}")
        #expect(set.keys.map { $0.refusal?.name } == [broken.refusal, nil, broken.refusal])
        #expect(TokenVerifier(keys: set, policy: .lenient).verdict(good.token()) == "valid")
    }

    @Test
    func postQuantumKeysStandBesideOthersWhetherOrNotTheyCanBeUsed() throws {
        let akp = "{\"kty\":\"AKP\",\"alg\":\"ML-DSA-44\",\"kid\":\"pq\",\"pub\":\"\(base64url(Array(repeating: 7, count: 1_312)))\"}"
        let set = TokenForge.keySet([akp, Forges.rs256.jwk])
        #expect(set.keys[0].refusal == (SignatureAlgorithm.mlDSA44.isAvailable ? nil : .unsupportedAlgorithm))
        #expect(set.keys[0].group == .mlDSA44)
        #expect(TokenVerifier(keys: set, policy: .lenient).verdict(Forges.rs256.token()) == "valid")
    }

    @Test(
        arguments: [
            ([:], []), (["e": "Aw"], [.smallExponent]), (["e": "AAEAAQ"], []), (["e": "AQE"], [.smallExponent]),
            (["d": "AAAA"], [.privateMaterial]),
            (["n": base64url([0] + modulus)], [.leadingZeros]),
            (["n": base64url([0, 0] + modulus), "e": "Aw", "d": 1], [.leadingZeros, .smallExponent, .privateMaterial]),
        ] as [([String: any Sendable], [VerificationKey.Advisory])])
    func whatShouldBeKnownOfAUsableKeyIsAdvised(changes: [String: any Sendable], advisories: [VerificationKey.Advisory]) {
        let key = TokenForge.keySet([jwk(Self.rsa, changes)]).keys[0]
        #expect(key.refusal == nil)
        #expect(key.bits == 2_048)
        #expect(key.advisories == advisories)
    }

    @Test
    func whatAKeySaysOfItselfIsKept() {
        let key = TokenForge.keySet([jwk(Self.ec, ["use": "sig", "key_ops": ["verify"], "kid": "k\u{e9}y", "x5c": ["ignored"]])]).keys[0]
        #expect(key.refusal == nil)
        #expect([key.keyID, key.kindName, key.curveName, key.algorithmName, key.use] == ["k\u{e9}y", "EC", "P-256", "ES256", "sig"])
        #expect(key.operations == ["verify"])
        #expect(key.kind == .ec && key.group == .p256 && key.bits == 256)
        #expect(key.algorithms == [.es256])
    }

    private func loading(_ document: String) -> String {
        verdict { _ = try KeySet(jwks: document) }
    }
}
