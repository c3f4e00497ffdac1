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
        // Compact (not in 4.6, 4.7, 4.8 and RFC 7797 section 4.2), flattened (not in 4.8), general (4.8 has three signatures).
        #expect(checks == 7 + 10 + 13)
    }

    /// A changed payload, header or signature fails in every accepted form.
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

    /// All are valid, but three have no compact form: their signature is verified by the engine directly (`bareAlgorithm`).
    func expected(of signature: JSONSignature) -> (judgement: Judgement, bareAlgorithm: SignatureAlgorithm?) {
        // RFC 7520 sections 4.7 and 4.8.3: there is no protected header to put before the first dot.
        if signature.protected == nil { return (Judgement("malformed_token"), name.contains("4_7") ? .hs256 : .es512) }
        // The cookbook's b64 is not marked critical, which RFC 7797 section 6 requires for b64:false.
        if name.contains("4.2.hmac") { return (Judgement("invalid_header"), .hs256) }
        return (Judgement("valid", payload), nil)
    }
}
