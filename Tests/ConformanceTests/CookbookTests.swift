import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// The examples of RFC 7520 section 4, RFC 7797 and RFC 8037, from the IETF's cookbook.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct CookbookTests {
    private static let examples = [
        "jws/4_1.rsa_v15_signature", "jws/4_2.rsa-pss_signature", "jws/4_3.ecdsa_signature", "jws/4_4.hmac-sha2_integrity_protection",
        "jws/4_5.signature_with_detached_content", "jws/4_6.protecting_specific_header_fields", "jws/4_7.protecting_content_only",
        "jws/4_8.multiple_signatures", "curve25519/jws", "rfc7797/4.2.hmac-sha2_b64_false", "rfc7797/hmac-sha2_b64_false",
    ]

    @Test
    func everyFormOfEveryExampleIsJudgedAsWritten() {
        var checks = 0
        for name in Self.examples {
            let example = Example(name)
            for (form, signature) in example.forms {
                let expected = example.expected(of: signature)
                #expect(signature.judgement(example.keys, apart: example.payload) == expected.judgement, "\(name) \(form)")
                if let algorithm = expected.bareAlgorithm { #expect(signature.isGood(algorithm, example.keys), "\(name) \(form)") }
                checks += 1
            }
        }
        // Compact (4.6, 4.7, 4.8 and RFC 7797 section 4.2 have none), flattened (4.8 has none), general (4.8 has three signatures).
        #expect(checks == 7 + 10 + 13)
    }

    /// A changed payload, header or signature fails in every form that is accepted.
    @Test
    func noFormSurvivesAChange() {
        var checks = 0
        for name in Self.examples {
            let example = Example(name)
            for (form, signature) in example.forms where example.expected(of: signature).bareAlgorithm == nil {
                let flipped = JSONSignature(
                    payload: signature.payload, protected: signature.protected, signature: Self.flipped(signature.signature))
                #expect(flipped.judgement(example.keys, apart: example.payload).verdict == "signature_invalid", "\(name) \(form)")
                checks += 1
            }
        }
        #expect(checks == 25)
    }

    private static func flipped(_ signature: String) -> String {
        guard var bytes = ConformanceInput.decoded(signature), !bytes.isEmpty else { return "" }
        bytes[bytes.count / 2] ^= 1
        return ConformanceInput.encoded(bytes)
    }

    @Test(arguments: [
        ("3_1.ec_public_key", Optional<String>.none, "ES512"), ("3_2.ec_private_key", nil, "ES512"),
        ("3_3.rsa_public_key", nil, "RS256 RS384 RS512 PS256 PS384 PS512"),
        ("3_4.rsa_private_key", nil, "RS256 RS384 RS512 PS256 PS384 PS512"),
        ("3_5.symmetric_key_mac_computation", nil, "HS256"), ("3_6.symmetric_key_encryption", "key_algorithm_mismatch", ""),
    ])
    func keysAreReadForWhatTheyAre(name: String, refusal: String?, algorithms: String) throws {
        let key = try #require(Keys(document: ConformanceFolder.bytes("rfc/cookbook/jwk/\(name).json")).list.first)
        #expect(key.refusal?.name == refusal)
        #expect(key.algorithms.algorithms.map(\.name).joined(separator: " ") == algorithms)
        #expect(key.advisories.contains(.privateMaterial) == name.contains("private"))
    }
}

private struct Example {
    let name: String
    let payload: [UInt8]
    let keys: Keys
    let forms: [(String, JSONSignature)]

    init(_ name: String) {
        let file = ConformanceInput.object("rfc/cookbook/\(name).json")
        let input = file["input"] as? [String: Any] ?? [:]
        self.name = name
        payload = Array((input["payload"] as? String ?? "").utf8)
        let key = input["key"]
        keys = Keys(document: ConformanceInput.document(key is [Any] ? ["keys": key] : key))
        forms = Self.forms(file["output"] as? [String: Any] ?? [:])
    }

    private static func forms(_ output: [String: Any]) -> [(String, JSONSignature)] {
        var forms: [(String, JSONSignature)] = []
        if let compact = output["compact"] as? String {
            let parts = compact.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            forms.append(("compact", JSONSignature(payload: parts[1].isEmpty ? nil : parts[1], protected: parts[0], signature: parts[2])))
        }
        if let flat = output["json_flat"] as? [String: Any] { forms += JSONSignature.all(in: flat).map { ("flattened", $0) } }
        if let general = output["json"] as? [String: Any] { forms += JSONSignature.all(in: general).map { ("general", $0) } }
        return forms
    }

    /// All are valid, but three do not exist as compact tokens: their signature is held against the engine (`bareAlgorithm`).
    func expected(of signature: JSONSignature) -> (judgement: Judgement, bareAlgorithm: SignatureAlgorithm?) {
        // RFC 7520 sections 4.7 and 4.8.3: nothing is protected, so there is no header to put before the first dot.
        if signature.protected == nil { return (Judgement("malformed_token"), name.contains("4_7") ? .hs256 : .es512) }
        // The cookbook's b64 is not marked critical, which RFC 7797 section 6 demands of b64:false.
        if name.contains("4.2.hmac") { return (Judgement("invalid_header"), .hs256) }
        return (Judgement("valid", payload), nil)
    }
}
