import JWSDocuments
import JWTCore
import JWTTestSupport
import Testing

/// Which signatures hold, and how many have to.
struct DocumentSignatureTests {
    private static let payload = SignedDocument.payload
    private static let alice = SignedDocument.signature(by: SignedDocument.alice)
    private static let bob = SignedDocument.signature(by: SignedDocument.bob)
    private static let stranger = SignedDocument.signature(by: SignedDocument.stranger)
    /// Alice's signature of another payload.
    private static let forged = SignedDocument.signature(by: SignedDocument.alice, over: SignedDocument.encoded("other"))

    private static func outcome(_ signatures: [String], _ policy: DocumentPolicy) -> String {
        SignedDocument.outcome(SignedDocument.general(signatures), policy)
    }

    private static let requirements: [([String], all: String, one: String)] = [
        ([alice], payload, payload),
        ([alice, bob], payload, "signer_mismatch"),
        ([alice, alice], payload, "signer_mismatch"),
        ([alice, stranger], "signature_refused: unknown_key", payload),
        ([stranger, alice], "signature_refused: unknown_key", payload),
        ([alice, forged], "signature_refused: signature_invalid", payload),
        ([alice, stranger, forged], "signature_refused: signature_invalid", payload),
        ([alice, bob, stranger], "signature_refused: unknown_key", "signer_mismatch"),
        ([stranger], "signature_refused: unknown_key", "signature_refused: unknown_key"),
        ([stranger, forged], "signature_refused: signature_invalid", "signature_refused: signature_invalid"),
    ]

    @Test(arguments: requirements.indices)
    func theCallerSaysHowManyHold(place: Int) {
        let (signatures, all, one) = Self.requirements[place]
        #expect(Self.outcome(signatures, DocumentPolicy(requirement: .all)) == all)
        #expect(Self.outcome(signatures, DocumentPolicy(requirement: .one)) == one)
    }

    @Test
    func aDocumentTellsWhichSignaturesHold() throws {
        let text = SignedDocument.general([Self.stranger, Self.alice, Self.forged])
        let verifier = DocumentVerifier(keys: SignedDocument.keys, policy: DocumentPolicy(requirement: .one))
        let document = try verifier.verify(text)
        #expect(document.signatures.map(\.position) == [1])
        #expect(document.refusals.mapValues(\.code) == [0: .unknownKey, 2: .signatureInvalid])
    }

    /// Whoever hands a document on can take a signature away.
    @Test
    func theCallerSaysWhoHasSigned() {
        let both = DocumentPolicy(requirement: .all, signers: ["alice", "bob"])
        #expect(Self.outcome([Self.alice, Self.bob], both) == Self.payload)
        #expect(Self.outcome([Self.bob, Self.alice], both) == Self.payload)
        #expect(Self.outcome([Self.alice], both) == "signer_mismatch")
        #expect(Self.outcome([Self.alice, Self.alice], both) == "signer_mismatch")
        #expect(Self.outcome([Self.alice, Self.bob, Self.stranger], both) == "signature_refused: unknown_key")
        let stranger = DocumentPolicy(requirement: .one, signers: ["stranger"])
        #expect(Self.outcome([Self.alice, Self.stranger], stranger) == "signer_mismatch")
        #expect(Self.outcome([Self.alice, Self.stranger], DocumentPolicy(requirement: .one, signers: ["alice"])) == Self.payload)
    }

    @Test
    func aSignatureIsForItsPayloadAndItsHeader() {
        let other = SignedDocument.encoded("other")
        #expect(SignedDocument.outcome(SignedDocument.flattened(Self.alice, payload: other)) == "signature_refused: signature_invalid")
        let header = SignedDocument.encoded(#"{"alg":"EdDSA","kid":"alice","x":1}"#)
        let signature = Self.alice.split(separator: ",")[0]
        let moved = #"\#(signature),"protected":"\#(header)""#
        #expect(SignedDocument.outcome(SignedDocument.flattened(moved)) == "signature_refused: signature_invalid")
        let none = #"\#(signature),"header":{"alg":"EdDSA","kid":"alice"}"#
        var policy = DocumentPolicy(requirement: .all)
        policy.allowsUnprotectedAlgorithm = true
        #expect(SignedDocument.outcome(SignedDocument.flattened(none), policy) == "signature_refused: signature_invalid")
    }

    // Headers

    @Test(arguments: [
        (#"{"x":1}"#, payload), (#"{"kid":"alice"}"#, "header_overlap"), (#"{"alg":"EdDSA"}"#, "header_overlap"),
        (#"{"alg":"ES256"}"#, "header_overlap"), (#"{"a\u006cg":"ES256"}"#, "header_overlap"),
        (#"{"crit":["x"],"x":1}"#, "unprotected_parameter"),
        (#"{"b64":true}"#, "unprotected_parameter"), (#"{"b64":false}"#, "unprotected_parameter"),
        (#"{"b6\u0034":false}"#, "unprotected_parameter"),
        (#"{"jwk":{"kty":"oct","k":"AA"},"jku":"https://evil.example","x5c":[]}"#, payload),
        (#"{"enc":"A128GCM"}"#, "signature_refused: encrypted_token"),
    ])
    func theUnprotectedHeaderIsWatched(header: String, expected: String) {
        let signature = SignedDocument.signature(by: SignedDocument.alice, header: header)
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature)) == expected)
    }

    @Test
    func aKeyMayBeNamedWithoutProtection() {
        let signature = SignedDocument.signature(by: SignedDocument.alice, protected: #""alg":"EdDSA""#, header: #"{"kid":"alice"}"#)
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature)) == Self.payload)
        let other = SignedDocument.signature(by: SignedDocument.alice, protected: #""alg":"EdDSA""#, header: #"{"kid":"bob"}"#)
        #expect(SignedDocument.outcome(SignedDocument.flattened(other)) == "signature_refused: key_algorithm_mismatch")
    }

    @Test
    func anAlgorithmIsProtectedUnlessThePolicySaysSo() {
        let text = SignedDocument.flattened(SignedDocument.signature(by: SignedDocument.alice, protected: nil, header: "{%}"))
        #expect(SignedDocument.outcome(text) == "signature_refused: algorithm_not_allowed")
        var policy = DocumentPolicy(requirement: .all)
        policy.allowsUnprotectedAlgorithm = true
        #expect(SignedDocument.outcome(text, policy) == Self.payload)
    }

    @Test(arguments: [
        (#"%,"crit":["b64"],"b64":true"#, payload), (#"%,"crit":["x"],"x":1"#, "signature_refused: unsupported_critical"),
        (#"%,"crit":[]"#, "signature_refused: invalid_header"), (#"%,"crit":["x"]"#, "signature_refused: invalid_header"),
        (#"%,"crit":["alg"]"#, "signature_refused: invalid_header"), (#"%,"crit":"b64","b64":true"#, "signature_refused: invalid_header"),
        (#"%,"b64":true"#, payload), (#"%,"b64":"false""#, "signature_refused: invalid_header"),
    ])
    func whatIsCriticalIsUnderstood(protected: String, expected: String) {
        let signature = SignedDocument.signature(by: SignedDocument.alice, protected: protected)
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature)) == expected)
    }

    /// A name in `crit` is one of the whole header; here its parameter is unprotected.
    @Test
    func aCriticalParameterMayBeUnprotectedAndIsNotUnderstood() {
        let signature = SignedDocument.signature(by: SignedDocument.alice, protected: #"%,"crit":["x"]"#, header: #"{"x":1}"#)
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature)) == "signature_refused: unsupported_critical")
    }

    @Test
    func aTypeIsProtected() {
        let policy = DocumentPolicy(requirement: .all, types: ["manifest+jws"])
        let typed = SignedDocument.signature(by: SignedDocument.alice, protected: #"%,"typ":"manifest+jws""#)
        #expect(SignedDocument.outcome(SignedDocument.flattened(typed), policy) == Self.payload)
        let unprotected = SignedDocument.signature(by: SignedDocument.alice, header: #"{"typ":"manifest+jws"}"#)
        for signature in [Self.alice, unprotected, SignedDocument.signature(by: SignedDocument.alice, protected: #"%,"typ":"JWT""#)] {
            #expect(SignedDocument.outcome(SignedDocument.flattened(signature), policy) == "signature_refused: type_mismatch")
        }
        #expect(SignedDocument.outcome(SignedDocument.flattened(unprotected)) == Self.payload)
    }

    // Algorithms

    @Test
    func algorithmsAreThoseOfThePolicyAndTheKeys() {
        var policy = DocumentPolicy(requirement: .one)
        policy.algorithms = [.es256]
        #expect(Self.outcome([Self.alice, Self.bob], policy) == Self.payload)
        #expect(Self.outcome([Self.alice], policy) == "signature_refused: algorithm_not_allowed")
        let confused = SignedDocument.signature(by: SignedDocument.alice, protected: #""alg":"ES256","kid":"alice""#)
        #expect(Self.outcome([confused], DocumentPolicy(requirement: .all)) == "signature_refused: key_algorithm_mismatch")
        for name in ["none", "None"] {
            let unsecured = SignedDocument.signature(by: SignedDocument.alice, protected: #""alg":"\#(name)","kid":"alice""#)
            let code = name == "none" ? "unsecured_token" : "unsupported_algorithm"
            #expect(Self.outcome([unsecured], DocumentPolicy(requirement: .all)) == "signature_refused: \(code)")
        }
    }

    /// The public key as the secret of an HMAC, and an HMAC beside public keys.
    @Test
    func sharedAndPublicKeysAreNotMixed() {
        let shared = TokenForge(.hs256, keyID: "shared"), signature = SignedDocument.signature(by: shared)
        let mixed = TokenForge.keySet([shared.jwk, SignedDocument.alice.jwk])
        var policy = DocumentPolicy(requirement: .one)
        #expect(
            SignedDocument.outcome(SignedDocument.flattened(signature), policy, keys: mixed) == "signature_refused: algorithm_not_allowed")
        policy.algorithms = [.hs256, .edDSA]
        let both = SignedDocument.general([signature, Self.alice])
        #expect(SignedDocument.outcome(both, policy, keys: mixed) == Self.payload)
        #expect(
            SignedDocument.outcome(SignedDocument.flattened(signature), policy, keys: mixed) == "signature_refused: algorithm_not_allowed")
        policy.algorithms = [.hs256]
        #expect(SignedDocument.outcome(SignedDocument.flattened(signature), policy, keys: mixed) == Self.payload)
    }

    @Test
    func aKeyForEncryptionSignsNothing() {
        let jwk = SignedDocument.alice.jwk.replacing(#""use":"sig""#, with: #""use":"enc""#)
        #expect(
            SignedDocument.outcome(SignedDocument.flattened(Self.alice), keys: TokenForge.keySet([jwk]))
                == "signature_refused: key_use_mismatch")
    }

    // Payloads

    @Test
    func aDetachedPayloadIsThatOfTheCaller() {
        for text in ["{\(Self.alice)}", #"{"signatures":[{\#(Self.alice)},{\#(Self.bob)}]}"#] {
            #expect(SignedDocument.outcome(text, detached: Self.payload) == Self.payload)
            #expect(SignedDocument.outcome(text, detached: "other") == "signature_refused: signature_invalid")
            #expect(SignedDocument.outcome(text) == "payload_mismatch")
        }
        #expect(SignedDocument.outcome(SignedDocument.flattened(Self.alice), detached: Self.payload) == "payload_mismatch")
    }

    private static let unencoded = #"%,"b64":false,"crit":["b64"]"#

    /// RFC 7797.
    @Test(arguments: ["$.02", "", "a.b", "\"\\\n", "Köln 😀", #"{"version":7}"#])
    func aPayloadMayBeUnencoded(payload: String) {
        let signature = SignedDocument.signature(by: SignedDocument.alice, protected: Self.unencoded, over: payload)
        let written = JSONTree.string(payload).json.dropFirst().dropLast()
        let text = SignedDocument.flattened(signature, payload: String(decoding: written, as: UTF8.self))
        #expect(SignedDocument.outcome(text) == payload)
        #expect(SignedDocument.outcome("{\(signature)}", detached: payload) == payload)
        #expect(SignedDocument.outcome("{\(signature)}", detached: payload + " ") == "signature_refused: signature_invalid")
    }

    @Test
    func anUnencodedPayloadIsCritical() {
        let signature = SignedDocument.signature(by: SignedDocument.alice, protected: #"%,"b64":false"#, over: Self.payload)
        #expect(SignedDocument.outcome("{\(signature)}", detached: Self.payload) == "signature_refused: invalid_header")
        let unnamed = SignedDocument.signature(
            by: SignedDocument.alice, protected: #"%,"b64":false,"crit":["x"],"x":1"#, over: Self.payload)
        #expect(SignedDocument.outcome("{\(unnamed)}", detached: Self.payload) == "signature_refused: invalid_header")
    }

    @Test
    func aPayloadHasOneFormForAllSignatures() {
        let unencoded = SignedDocument.signature(by: SignedDocument.bob, protected: Self.unencoded, over: Self.payload)
        for requirement in [SignatureRequirement.all, .one] {
            let policy = DocumentPolicy(requirement: requirement)
            #expect(SignedDocument.outcome(SignedDocument.general([Self.alice, unencoded]), policy) == "mixed_encodings")
        }
    }

    @Test
    func missingKeysAreRetryable() {
        struct Nothing: KeySource {
            func withKeys<Result: ~Copyable>(
                _ body: (KeySet) throws(VerificationError) -> Result
            ) throws(VerificationError) -> Result { throw .keysUnavailable }
        }
        struct Late: KeySource {
            func withKeys<Result: ~Copyable>(
                _ body: (KeySet) throws(VerificationError) -> Result
            ) throws(VerificationError) -> Result { try body(SignedDocument.keys) }
            func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError {
                keyID == KeyIDHash("stranger") ? .keysUnavailable : VerificationError(.unknownKey)
            }
        }
        #expect(SignedDocument.outcome(SignedDocument.flattened(Self.alice), keys: Nothing()) == "signature_refused: keys_unavailable")
        let text = SignedDocument.general([Self.forged, Self.stranger])
        #expect(SignedDocument.outcome(text, keys: Late()) == "signature_refused: keys_unavailable")
        do throws(DocumentError) {
            _ = try DocumentVerifier(keys: Late(), policy: DocumentPolicy(requirement: .one)).verify(text)
            Issue.record("no key verifies the document")
        } catch {
            #expect(error.isRetryable && error.signature == 1)
        }
    }
}
