import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// Tokens of joserfc, Istio, three implementations of verifiable credentials, the EU wallet's SD-JWT and SMART Health Cards.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct TokenCollectionTests {
    // joserfc

    @Test
    func joserfcExamples() {
        let tests = ConformanceInput.object("jwt/joserfc/jws_examples.json")["tests"] as? [[String: Any]] ?? []
        let hello = Array("hello".utf8)
        var valid = 0, weak = 0, keysOnly = 0
        for test in tests {
            let name = test["name"] as? String ?? "", algorithms = ConformanceInput.algorithms(test["protected"] as? [String: Any] ?? [:])
            let keys = Self.joserfcKeys(test)
            guard let compact = test["compact"] as? String else {
                // These tests make new tokens each time: only the keys are data.
                #expect(!(keys.list.first?.algorithms.intersection(algorithms).isEmpty ?? true), "\(name)")
                keysOnly += 1
                continue
            }
            var judgements = [Judgement(jws: compact, keys, algorithms)]
            for form in ["general_json", "flattened_json"] {
                let jws = test[form] as? [String: Any] ?? [:]
                judgements += JSONSignature.all(in: jws).map { $0.judgement(keys, apart: hello) }
            }
            // The secret "rfc" has three bytes. RFC 7518 section 3.2 requires as many as the hash; there is no override.
            let isWeak = test["secret"] != nil
            #expect(judgements == Array(repeating: isWeak ? Judgement("weak_key") : Judgement("valid", hello), count: 3), "\(name)")
            if isWeak { weak += 3 } else { valid += 3 }
        }
        #expect((valid, weak, keysOnly) == (9, 9, 9))
    }

    private static func joserfcKeys(_ test: [String: Any]) -> Keys {
        if let secret = test["secret"] as? String { return Keys(secret: Array(secret.utf8)) }
        return Keys(document: ConformanceFolder.bytes("jwt/joserfc/keys/\(test["public_key"] as? String ?? "")"))
    }

    @Test
    func joserfcUnencodedPayloads() {
        let file = ConformanceInput.object("jwt/joserfc/jws_rfc7797.json")
        let keys = Keys(document: ConformanceFolder.bytes("rfc/latchset/rfc7515_A.1.jwk"))
        var checks = 0
        for test in file["tests"] as? [[String: Any]] ?? [] {
            let name = test["name"] as? String ?? "", compact = test["compact"] as? String ?? ""
            let payload = Array((test["payload"] as? String ?? file["payload"] as? String ?? "").utf8)
            let isDetached = compact.contains("..")
            #expect(
                (isDetached ? Judgement(detached: compact, payload, keys, [.hs256]) : Judgement(jws: compact, keys, [.hs256]))
                    == Judgement("valid", payload), "\(name)")
            for signature in JSONSignature.all(in: test["flattened_json"] as? [String: Any] ?? [:]) {
                #expect(signature.judgement(keys, apart: payload) == Judgement("valid", payload), "\(name)")
                checks += 1
            }
            // RFC 7797 section 7: a JWT never has an unencoded payload. This one, "hello", is refused even before the header is read.
            if name.contains("b64=false"), !isDetached {
                #expect(Judgement(jwt: compact, keys, now: 0).verdict == "invalid_base64url", "\(name)")
            }
            checks += 1
        }
        #expect(checks == 8)
    }

    // Istio

    @Test(arguments: [("demo.jwt", 4_685_989_700), ("groups-scope.jwt", 3_537_391_104)])
    func istioTokensAreValidWithoutTheirLineFeed(name: String, expiry: Int64) {
        let keys = Keys(document: ConformanceFolder.bytes("jwt/istio/jwks.json"))
        let file = ConformanceInput.text("jwt/istio/\(name)"), token = String(file.dropLast())
        var policy = ClaimsPolicy()
        policy.issuers = ["testing@secure.istio.io"]
        policy.requiredClaims = ["sub", "iat", "exp"]
        let last = NumericDate(seconds: expiry - 1).advanced(by: policy.leeway)
        #expect(file.last == "\n")
        #expect(Judgement(jwt: token, keys, policy, now: last).verdict == "valid")
        #expect(Judgement(jwt: token, keys, policy, now: last.advanced(by: .seconds(1))).verdict == "expired")
        #expect(Judgement(jwt: file, keys, policy, now: last).verdict == "invalid_base64url")
    }

    // Verifiable credentials

    @Test
    func credentialsOfThreeMakers() {
        var verdicts: [String: Int] = [:], algorithms = Set<String>()
        for maker in ["afgo", "spruce", "transmute"] {
            for name in ConformanceFolder.names("jwt/vc-jwt/\(maker)") {
                let token = ConformanceInput.object("jwt/vc-jwt/\(maker)/\(name)")["jwt"] as? String ?? ""
                let key = name.split(separator: "--").last?.split(separator: ".").first ?? ""
                let keys = Keys(document: ConformanceInput.document(ConformanceInput.object("jwt/vc-jwt/keys/\(key).json")["publicKeyJwk"]))
                algorithms.insert(ConformanceInput.header(token.prefix { $0 != "." })["alg"] as? String ?? "")
                #expect(Judgement(jws: token, keys).verdict == "valid", "\(maker) \(name)")
                let verdict = Judgement(jwt: token, keys, now: 1_700_000_000).verdict
                // Eight claim sets have an object as sub, four of them also "nbf": null: RFC 7519 section 4.1 allows neither.
                let isMistyped = maker == "transmute" && (name.hasPrefix("credential-0") || name.hasPrefix("credential-3"))
                #expect(verdict == (isMistyped ? "invalid_claim" : "valid"), "\(maker) \(name)")
                verdicts[verdict, default: 0] += 1
            }
        }
        #expect(verdicts == ["valid": 83, "invalid_claim": 8])
        #expect(algorithms == ["EdDSA", "ES256", "ES384", "ES256K", "PS256"])
    }

    // SD-JWT

    @Test(arguments: [("exampleIssuanceSdJwt.txt", 4), ("examplePresentationSdJwt.txt", 2)])
    func selectiveDisclosuresAreTheOnesDigested(name: String, disclosures: Int) throws {
        let keys = Keys(document: ConformanceFolder.bytes("jwt/sd-jwt/examplesIssuerKey.json"))
        let parts = ConformanceInput.text("jwt/sd-jwt/\(name)").split(separator: "~").map(String.init)
        var policy = ClaimsPolicy()
        policy.issuers = ["https://example.com/issuer"]
        let token = try TokenVerifier(keys: try #require(keys.set), policy: policy).verify(parts[0], now: 1_700_000_000)
        #expect(token.claims["_sd_alg"]?.string?.string == "sha-256")
        for disclosure in parts.dropFirst() {
            let digest = ConformanceInput.encoded(Digest.sha256.bytes(of: disclosure.utf8.span))
            #expect(token.claims.value(at: "address", "_sd")?.contains(digest) == true, "\(disclosure)")
        }
        #expect(parts.count - 1 == disclosures)
        #expect(Judgement(jwt: parts[0], keys, policy, now: 1_735_689_721).verdict == "expired")
        let whole = ConformanceInput.text("jwt/sd-jwt/\(name)")
        #expect(Judgement(jwt: whole, keys, policy, now: 1_700_000_000).verdict == "invalid_base64url")
    }

    // SMART Health Cards

    @Test
    func healthCards() {
        let keys = Keys(document: ConformanceFolder.bytes("jwt/smart-health-cards/issuer-public-key.json"))
        let rows = ConformanceInput.table("jwt/smart-health-cards/expected.tsv")
        let codes = [
            "DER": "signature_invalid", "last bytes changed": "signature_invalid", "no alg": "missing_algorithm",
            "white space before and after the token; the trimmed text verifies": "invalid_base64url",
        ]
        for row in rows {
            let token = ConformanceInput.text("jwt/smart-health-cards/\(row[0])")
            let changed = row[0].contains("wrong_jws_header_kid") ? "unknown_key" : "signature_invalid"
            let expected = row[1] == "valid" ? "valid" : codes[row[2]] ?? changed
            let judgement = Judgement(jws: token, keys)
            #expect(judgement.verdict == expected, "\(row[0])")
            // The payload is deflated: a valid JWS, but not claims.
            if expected == "valid" {
                #expect(judgement.payload?.first != UInt8(ascii: "{"), "\(row[0])")
                #expect(Judgement(jwt: token, keys, now: 1_700_000_000).verdict == "invalid_header", "\(row[0])")
            }
            if row[0].contains("trailing") {
                #expect(Judgement(jws: token.trimmingCharacters(in: .whitespacesAndNewlines), keys).verdict == "valid")
            }
        }
        #expect(rows.count == 11)
        #expect(rows.count { $0[1] == "valid" } == 3)
    }

    // ML-DSA

    @Test(arguments: ["ML_DSA_44", "ML_DSA_65"])
    func draftIETFCoseDilithium(name: String) throws {
        let file = ConformanceInput.object("mldsa-jose/\(name).jose.json")
        let jwk = try #require(file["jwk"] as? [String: Any]), token = try #require(file["jws"] as? String)
        let keys = Keys(document: ConformanceInput.document(jwk)), key = try #require(keys.list.first)
        let algorithm = try #require(SignatureAlgorithm(name: jwk["alg"] as? String ?? ""))
        #expect(key.thumbprint == jwk["kid"] as? String)
        #expect(key.advisories == [.privateMaterial])
        #expect(ConformanceInput.decoded(jwk["pub"] as? String ?? "") == ConformanceInput.hex(file["raw_public_key"]))
        #expect(key.unusableReason == (algorithm.isAvailable ? nil : .unsupportedAlgorithm))
        #expect(Judgement(jws: token, keys).verdict == (algorithm.isAvailable ? "valid" : "unsupported_algorithm"))
    }
}
