import Foundation
import JWSDocuments
import JWTCore
import JWTTestSupport
import Testing

/// What a JWS in JSON serialization is (RFC 7515 section 7.2), and what is refused before any signature.
struct DocumentFormTests {
    private static let payload = SignedDocument.payload
    private static let encoded = SignedDocument.encoded(payload)
    private static let signed = SignedDocument.signature(by: SignedDocument.alice)

    @Test
    func bothSerializationsAreRead() throws {
        for text in [SignedDocument.flattened(Self.signed), SignedDocument.general([Self.signed])] {
            let verifier = DocumentVerifier(keys: SignedDocument.keys, policy: DocumentPolicy(requirement: .all))
            let document = try verifier.verify(text)
            #expect(document.payload == Array(Self.payload.utf8) && document.refusals.isEmpty)
            let signature = try #require(document.signatures.first)
            #expect(signature.position == 0 && signature.algorithm == .edDSA && signature.key.keyID == "alice")
            #expect(String(decoding: signature.protectedHeader, as: UTF8.self) == #"{"alg":"EdDSA","kid":"alice"}"#)
            #expect("\(document)" == "VerifiedDocument(signatures: 1, bytes: 13)")
        }
    }

    @Test(arguments: [
        (#""other":1"#, payload), (#""other":{"signature":"x"}"#, payload), (#""disclosures":[]"#, payload),
        (#""signatures":[]"#, "malformed_document"), (#""payload":"e30""#, "malformed_document: duplicate_member"),
        (#""signature":"AA""#, "malformed_document: duplicate_member"), (#""protected":"e30""#, "malformed_document: duplicate_member"),
        (#""p\u0061yload":"e30""#, "malformed_document: duplicate_member"),
    ])
    func aMemberBesideTheOthers(member: String, expected: String) {
        #expect(SignedDocument.outcome(#"{"payload":"\#(Self.encoded)",\#(Self.signed),\#(member)}"#) == expected)
    }

    @Test(arguments: [#""signature":"AA""#, #""protected":"e30""#, #""header":{"kid":"alice"}"#])
    func nothingOfASignatureStandsBesideTheList(member: String) {
        #expect(
            SignedDocument.outcome(#"{"payload":"\#(Self.encoded)","signatures":[{\#(Self.signed)}],\#(member)}"#) == "malformed_document")
    }

    @Test(arguments: [
        ("", "malformed_document: invalid_json"), ("[]", "malformed_document"), ("x", "malformed_document: invalid_json"),
        ("{}", "malformed_document"), (#"{"payload":"e30"}"#, "malformed_document"),
        (#"{"payload":"e30","signature":"AA"}"#, "malformed_document"), (#"{"payload":"e30","signature":7}"#, "malformed_document"),
        (#"{"payload":"e30","protected":"","signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","protected":"e30","signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","protected":"W10","signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","protected":"eA","signature":"AA"}"#, "malformed_document: invalid_json"),
        (#"{"payload":"e30","protected":7,"signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","protected":"e3=","signature":"AA"}"#, "malformed_document: invalid_base64url"),
        (#"{"payload":"e30","header":{},"signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","header":[],"signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","header":"e30","signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","header":{"kid":"a"},"signature":"A="}"#, "malformed_document: invalid_base64url"),
        (#"{"payload":"e30","header":{"kid":"a"}}"#, "malformed_document"),
        (#"{"payload":null,"header":{"kid":"a"},"signature":"AA"}"#, "malformed_document"),
        (#"{"payload":["e30"],"header":{"kid":"a"},"signature":"AA"}"#, "malformed_document"),
        (#"{"payload":"e30","signatures":{}}"#, "malformed_document"), (#"{"payload":"e30","signatures":null}"#, "malformed_document"),
        (#"{"payload":"e30","signatures":[]}"#, "no_signatures"), (#"{"payload":"e30","signatures":[7]}"#, "malformed_document"),
        (#"{"payload":"e30","signatures":[{}]}"#, "malformed_document"),
        (#"{"payload":"e30","signatures":[[]]}"#, "malformed_document"),
        // {"alg":"EdDSA","alg":"ES256"}
        (
            #"{"payload":"e30","protected":"eyJhbGciOiJFZERTQSIsImFsZyI6IkVTMjU2In0","signature":"AA"}"#,
            "malformed_document: duplicate_member"
        ),
        (#"{"payload":"e30","header":{"alg":"EdDSA","a\u006cg":"ES256"},"signature":"AA"}"#, "malformed_document: duplicate_member"),
    ])
    func whatIsNoDocumentIsRefused(text: String, expected: String) {
        for requirement in [SignatureRequirement.all, .one] {
            #expect(SignedDocument.outcome(text, DocumentPolicy(requirement: requirement)) == expected)
        }
    }

    @Test(arguments: ["e30=", "e3 0", "e30\n", "e3w", "e3", "e"])
    func aPayloadIsStrictBase64URL(payload: String) {
        let written = payload.replacing("\n", with: "\\n")
        let text = SignedDocument.flattened(SignedDocument.signature(by: SignedDocument.alice, over: payload), payload: written)
        let isStrict = payload == "e3w"
        #expect(SignedDocument.outcome(text).hasPrefix("malformed_document") != isStrict)
    }

    @Test
    func anEmptyPayloadIsAPayload() {
        let signature = SignedDocument.signature(by: SignedDocument.alice, over: "")
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature, payload: "")) == "")
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature, payload: ""), detached: "") == "payload_mismatch")
        #expect(SignedDocument.outcome("{\(signature)}", detached: "") == "")
        #expect(SignedDocument.outcome("{\(signature)}") == "payload_mismatch")
    }

    @Test
    func aPayloadMayBeAnyBytes() throws {
        let bytes: [UInt8] = [0, 0xff, 0xfe, 0x0a]
        let written = String(decoding: Base64URL.encode(bytes), as: UTF8.self)
        let text = SignedDocument.flattened(SignedDocument.signature(by: SignedDocument.bob, over: written), payload: written)
        let verifier = DocumentVerifier(keys: SignedDocument.keys, policy: DocumentPolicy(requirement: .all))
        #expect(try verifier.verify(text).payload == bytes)
    }

    // Limits

    @Test
    func aDocumentHasAtMostItsBytes() {
        let text = SignedDocument.flattened(Self.signed)
        var limits = DocumentLimits.standard
        limits.bytes = text.utf8.count
        #expect(SignedDocument.outcome(text, limits: limits) == Self.payload)
        limits.bytes -= 1
        #expect(SignedDocument.outcome(text, limits: limits) == "document_too_large")
    }

    @Test(arguments: [1, 7, 8, 9, 100])
    func aDocumentHasAtMostItsSignatures(count: Int) {
        let text = SignedDocument.general(Array(repeating: Self.signed, count: count))
        #expect(SignedDocument.outcome(text) == (count <= 8 ? Self.payload : "too_many_signatures"))
    }

    @Test
    func aHeaderHasTheLimitsOfATokens() {
        let long = #""%","x":"\#(String(repeating: "a", count: 9_000))""#.replacing("\"%\"", with: "%")
        let signature = SignedDocument.signature(by: SignedDocument.alice, protected: long)
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature)) == "malformed_document: token_too_large")
        let members = (0..<40).map { "\"x\($0)\":1" }.joined(separator: ",")
        let many = SignedDocument.signature(by: SignedDocument.alice, protected: "%,\(members)")
        #expect(SignedDocument.outcome(SignedDocument.flattened(many)) == "malformed_document: too_many_members")
        // Each is within its limit, and together they are not.
        let half = (0..<20).map { "\"x\($0)\":1" }.joined(separator: ","), rest = (0..<20).map { "\"y\($0)\":1" }.joined(separator: ",")
        let both = SignedDocument.signature(by: SignedDocument.alice, protected: "%,\(half)", header: "{\(rest)}")
        #expect(SignedDocument.outcome(SignedDocument.flattened(both)) == "signature_refused: too_many_members")
    }

    @Test(arguments: [(Int.max, payload), (0, "malformed_document: too_many_members"), (Int.min, "malformed_document: too_many_members")])
    func anyNumberOfValuesMayBeTheLimit(values: Int, expected: String) {
        var limits = DocumentLimits.standard
        limits.token.values = values
        #expect(SignedDocument.outcome(SignedDocument.flattened(Self.signed), limits: limits) == expected)
    }

    @Test
    func whatIsDeepIsRefused() {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(
            SignedDocument.outcome(#"{"payload":"\#(Self.encoded)",\#(Self.signed),"x":\#(deep)}"#)
                == "malformed_document: nesting_too_deep")
    }

    @Test
    func numbersAndNamesAreStable() {
        let expected: [(UInt16, String)] = [
            (790, "malformed_document"), (791, "document_too_large"), (792, "no_signatures"), (793, "too_many_signatures"),
            (794, "header_overlap"), (795, "unprotected_parameter"), (796, "mixed_encodings"), (797, "payload_mismatch"),
            (798, "signature_refused"), (799, "signer_mismatch"),
        ]
        let all = DocumentError.Code.all, verifiers = VerificationError.Code.all
        #expect(all.map(\.number) == expected.map(\.0) && all.map(\.name) == expected.map(\.1))
        #expect(Set(all.map(\.summary)).count == all.count)
        for code in all {
            #expect(DocumentError.Code(name: code.name) == code)
            #expect(!verifiers.contains { $0.number == code.number || $0.name == code.name })
        }
    }

    /// `SignedDocuments.md` has a row for every code, in order, and no other.
    @Test
    func thePageHasEveryCode() throws {
        let page = try String(contentsOfFile: ConformanceFolder.repository + "/Docs/SignedDocuments.md", encoding: .utf8)
        let rows = page.matches(of: /(?m)^\| (7\d\d) \| (\w+) \|/).map { "\($0.1) \($0.2)" }
        #expect(rows == DocumentError.Code.all.map { "\($0.number) \($0.name)" })
    }

    @Test
    func aDescriptionHasTheCodeThePlaceAndTheCause() {
        let error = DocumentError(.signatureRefused, signature: 1, cause: VerificationError(.signatureInvalid))
        #expect(error.description == "signature_refused: signature_invalid: the signature does not verify (signature 1)")
        #expect(DocumentError(.noSignatures).description == "no_signatures: the document has no signature")
    }
}
