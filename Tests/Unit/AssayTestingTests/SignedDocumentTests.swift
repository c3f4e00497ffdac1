import AssayTesting
import JWSDocuments
import JWTCore
import Testing

/// Documents for tests in both serializations (RFC 7515 section 7.2) pass the verifier of production.
struct SignedDocumentTests {
    private let release: TestKey
    private let security: TestKey
    private let keys: KeySet

    init() throws {
        release = try TestKey(.es256, keyID: "release")
        security = try TestKey(.edDSA, keyID: "security")
        keys = try TestKey.keySet(of: [release, security])
    }

    /// The payload as text, or the name of the code.
    private func outcome(_ text: String, detached: [UInt8]? = nil, _ policy: DocumentPolicy = DocumentPolicy(requirement: .all)) -> String {
        let verifier = DocumentVerifier(keys: keys, policy: policy)
        do throws(DocumentError) {
            guard let detached else { return String(decoding: try verifier.verify(text).payload, as: UTF8.self) }
            return String(decoding: try verifier.verify(text, detached: detached).payload, as: UTF8.self)
        } catch {
            return error.cause.map { "\(error.code.name): \($0.code.name)" } ?? error.code.name
        }
    }

    private func document(_ payload: String = #"{"version":7}"#, isUnencoded: Bool = false) throws -> SignedDocument {
        var document = SignedDocument(payload, isUnencoded: isUnencoded)
        try document.sign(with: release, protected: ["typ": "manifest+jws"])
        try document.sign(with: security, protected: ["typ": "manifest+jws"], unprotected: ["comment": "second"])
        return document
    }

    @Test(arguments: [#"{"version":7}"#, "", "Köln 😀 \"\\\n"], [false, true])
    func everyFormVerifies(payload: String, isUnencoded: Bool) throws {
        let document = try document(payload, isUnencoded: isUnencoded)
        let both = DocumentPolicy(requirement: .all, signers: ["release", "security"], types: ["manifest+jws"])
        #expect(outcome(document.general(), both) == payload)
        #expect(outcome(document.general(isDetached: true), detached: document.payload, both) == payload)
        #expect(outcome(document.flattened()) == payload)
        #expect(outcome(document.flattened(isDetached: true), detached: document.payload) == payload)
        #expect(outcome(document.flattened(), both) == "signer_mismatch")
        #expect(outcome(document.general(isDetached: true)) == "payload_mismatch")
    }

    @Test func aDetachedPayloadMayBeAnyBytes() throws {
        var document = SignedDocument([0, 0xff, 0xfe], isUnencoded: true)
        try document.sign(with: release)
        #expect(
            outcome(document.flattened(isDetached: true), detached: [0, 0xff, 0xfe]) == String(decoding: [0, 0xff, 0xfe], as: UTF8.self))
        #expect(outcome(document.flattened(isDetached: true), detached: [0, 0xff]) == "signature_refused: signature_invalid")
    }

    @Test(
        arguments: [
            (["alg": "EdDSA"], [:], "signature_refused: key_algorithm_mismatch"),
            (["alg": "none"], [:], "signature_refused: unsecured_token"),
            (["alg": nil], ["alg": "ES256"], "signature_refused: algorithm_not_allowed"),
            (["kid": "other"], [:], "signature_refused: unknown_key"),
            (["alg": nil, "kid": nil], ["alg": "ES256", "kid": "release"], "signature_refused: algorithm_not_allowed"),
            ([:], ["kid": "release"], "header_overlap"), ([:], ["crit": ["x"], "x": 1], "unprotected_parameter"),
            (["crit": ["x"], "x": 1], [:], "signature_refused: unsupported_critical"),
            (["alg": nil, "kid": nil], [:], "malformed_document"),
        ] as [([String: (any Encodable & Sendable)?], [String: (any Encodable & Sendable)?], String)])
    func aDefectOfAHeader(
        protected: [String: (any Encodable & Sendable)?], unprotected: [String: (any Encodable & Sendable)?], expected: String
    ) throws {
        var document = SignedDocument("{}")
        try document.sign(with: release, protected: protected.mapValues { $0 }, unprotected: unprotected.mapValues { $0 })
        #expect(outcome(document.flattened()) == expected && outcome(document.general()) == expected)
    }

    @Test func bothFormsOfAPayloadAreMixed() throws {
        var document = SignedDocument("{}")
        try document.sign(with: release)
        try document.sign(with: security, protected: ["b64": false, "crit": ["b64"]])
        #expect(outcome(document.general()) == "mixed_encodings")
    }

    @Test func aDocumentWithoutSignatures() {
        #expect(outcome(SignedDocument("{}").general()) == "no_signatures")
        #expect(outcome(SignedDocument("{}").flattened()) == "malformed_document")
    }
}
