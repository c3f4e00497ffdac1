import Foundation
import JWSDocuments
import JWTCore
import JWTTestSupport
import Testing

/// Documents in JWS JSON serialization, of the IETF's cookbook and of joserfc.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct DocumentTests {
    /// The payload, or the name of the code, with that of the verifier's code behind it.
    private static func outcome(_ document: [String: Any], _ keys: Keys, _ algorithms: AlgorithmSet, apart: [UInt8]) -> String {
        var policy = DocumentPolicy(requirement: .all)
        policy.algorithms = algorithms
        policy.allowsUnprotectedAlgorithm = true
        guard let set = keys.set else { return keys.refusal ?? "" }
        let text = ConformanceInput.document(document), verifier = DocumentVerifier(keys: set, policy: policy)
        do throws(DocumentError) {
            let document = document["payload"] == nil ? try verifier.verify(text, detached: apart) : try verifier.verify(text)
            return String(decoding: document.payload, as: UTF8.self)
        } catch {
            return error.cause.map { "\(error.code.name): \($0.code.name)" } ?? error.code.name
        }
    }

    @Test(arguments: [
        "jws/4_1.rsa_v15_signature", "jws/4_2.rsa-pss_signature", "jws/4_3.ecdsa_signature", "jws/4_4.hmac-sha2_integrity_protection",
        "jws/4_5.signature_with_detached_content", "jws/4_6.protecting_specific_header_fields", "jws/4_7.protecting_content_only",
        "curve25519/jws", "rfc7797/4.2.hmac-sha2_b64_false", "rfc7797/hmac-sha2_b64_false",
    ])
    func everyDocumentOfTheCookbookIsJudgedAsWritten(name: String) {
        let file = ConformanceInput.object("rfc/cookbook/\(name).json"), input = file["input"] as? [String: Any] ?? [:]
        let output = file["output"] as? [String: Any] ?? [:], payload = Array((input["payload"] as? String ?? "").utf8)
        let keys = Keys(document: ConformanceInput.document(input["key"]))
        // The cookbook's b64 is not marked critical, which RFC 7797 section 6 requires for b64:false.
        let expected = name.contains("4.2.hmac") ? "signature_refused: invalid_header" : String(decoding: payload, as: UTF8.self)
        var checks = 0
        for form in ["json", "json_flat"] {
            guard let document = output[form] as? [String: Any] else { continue }
            #expect(Self.outcome(document, keys, AlgorithmSet(SignatureAlgorithm.all), apart: payload) == expected, "\(form)")
            checks += 1
        }
        #expect(checks > 0)
    }

    @Test
    func joserfcsDocumentsAreRead() {
        var valid = 0
        for test in ConformanceInput.object("jwt/joserfc/jws_examples.json")["tests"] as? [[String: Any]] ?? [] {
            guard let key = test["public_key"] as? String, test["compact"] != nil else { continue }
            let keys = Keys(document: ConformanceFolder.bytes("jwt/joserfc/keys/\(key)"))
            for form in ["general_json", "flattened_json"] {
                #expect(Self.outcome(test[form] as? [String: Any] ?? [:], keys, .asymmetric, apart: []) == "hello")
                valid += 1
            }
        }
        #expect(valid == 6)
    }

    /// RFC 7797, with and without encoding.
    @Test
    func joserfcsUnencodedDocumentsAreRead() {
        let file = ConformanceInput.object("jwt/joserfc/jws_rfc7797.json")
        let keys = Keys(document: ConformanceFolder.bytes("rfc/latchset/rfc7515_A.1.jwk"))
        var valid = 0
        for test in file["tests"] as? [[String: Any]] ?? [] {
            guard let document = test["flattened_json"] as? [String: Any] else { continue }
            let payload = test["payload"] as? String ?? file["payload"] as? String ?? ""
            #expect(Self.outcome(document, keys, [.hs256], apart: Array(payload.utf8)) == payload, "\(test["name"] ?? "")")
            valid += 1
        }
        #expect(valid == 4)
    }
}
