import JWSDocuments
import JWTCore
import Testing

/// The examples of RFC 7515 and RFC 7520.
struct RFCDocumentTests {
    private static func outcome(
        _ document: String, keys: String, _ algorithms: AlgorithmSet, _ requirement: SignatureRequirement, unprotected: Bool = false
    ) throws -> String {
        var policy = DocumentPolicy(requirement: requirement)
        policy.algorithms = algorithms
        policy.allowsUnprotectedAlgorithm = unprotected
        return SignedDocument.outcome(document, policy, keys: try KeySet(jwks: keys))
    }

    @Test
    func theExamplesOfRFC7515Hold() throws {
        let payload = "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"
        #expect(try Self.outcome(RFCDocument.general, keys: RFCDocument.keys, .asymmetric, .all) == payload)
        #expect(try Self.outcome(RFCDocument.flattened, keys: RFCDocument.keys, .asymmetric, .all) == payload)
        #expect(try Self.outcome(RFCDocument.general, keys: RFCDocument.keys, .asymmetric, .one) == "signer_mismatch")
        #expect(try Self.outcome(RFCDocument.general, keys: RFCDocument.keys, [.es256], .one) == payload)
    }

    @Test
    func theExamplesOfRFC7520Hold() throws {
        for text in [RFCDocument.specificFields, RFCDocument.specificFieldsGeneral] {
            #expect(try Self.outcome(text, keys: RFCDocument.secret, [.hs256], .all) == RFCDocument.text)
        }
        for text in [RFCDocument.contentOnly, RFCDocument.contentOnlyGeneral] {
            #expect(try Self.outcome(text, keys: RFCDocument.secret, [.hs256], .all) == "signature_refused: algorithm_not_allowed")
            #expect(try Self.outcome(text, keys: RFCDocument.secret, [.hs256], .all, unprotected: true) == RFCDocument.text)
        }
    }

    /// Each of the three signers has a verifier that knows no other.
    @Test(arguments: [
        (RFCDocument.rsa, SignatureAlgorithm.rs256, false), (RFCDocument.ec, .es512, true), (RFCDocument.secret, .hs256, false),
    ])
    func eachOfThreeSignaturesHolds(keys: String, algorithm: SignatureAlgorithm, isUnprotected: Bool) throws {
        let text = RFCDocument.multiple
        #expect(try Self.outcome(text, keys: keys, [algorithm], .one, unprotected: isUnprotected) == RFCDocument.text)
        #expect(try Self.outcome(text, keys: keys, [algorithm], .all, unprotected: isUnprotected).hasPrefix("signature_refused"))
    }
}
