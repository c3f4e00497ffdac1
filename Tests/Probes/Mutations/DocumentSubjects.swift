import JWSDocuments
import JWTCore
import JWTSigning
import JWTTestSupport

/// Mutated documents in JWS JSON serialization. What nothing signs may change; the payload may not.
struct DocumentSubjects {
    private static let payload = Array("{\"version\":7}".utf8)
    private let forge = TokenForge(.hs256)
    private let verifiers: [DocumentVerifier<KeySet>]
    private let documents: [[UInt8]]

    init() {
        let keys = forge.keySet
        verifiers = [SignatureRequirement.all, .one].map { requirement in
            var policy = DocumentPolicy(requirement: requirement)
            policy.algorithms = [.hs256]
            return DocumentVerifier(keys: keys, policy: policy)
        }
        let encoded = Base64URL.encode(Self.payload), own = Self.signature(forge, "{\"alg\":\"HS256\",\"kid\":\"test-key\"}", encoded)
        let bare = Self.signature(forge, #"{"alg":"HS256","b64":false,"crit":["b64"]}"#, Self.payload)
        let written = String(decoding: encoded, as: UTF8.self)
        documents = [
            #"{"payload":"\#(written)",\#(own),"header":{"x":[1,{"y":"\u00e9"}]}}"#,
            #"{"payload":"\#(written)","signatures":[{\#(own)},{\#(own),"header":{"z":null}}]}"#,
            #"{"payload":"{\"version\":7}",\#(bare),"header":{"kid":"test-key"}}"#,
        ]
        .map { Array($0.utf8) }
    }

    private static func signature(_ forge: TokenForge, _ header: String, _ written: [UInt8]) -> String {
        let protected = Base64URL.encode(Array(header.utf8))
        let signature = Base64URL.encode(forge.key.signature(of: protected + [UInt8(ascii: ".")] + written) ?? [])
        return #""protected":"\#(String(decoding: protected, as: UTF8.self))","signature":"\#(String(decoding: signature, as: UTF8.self))""#
    }

    /// Whether a changed document is accepted with another payload.
    func acceptsAnotherPayload(_ mutator: inout Mutator) -> Bool {
        let changed = mutator.mutated(documents[mutator.next(below: documents.count)])
        let verifier = verifiers[mutator.next(below: verifiers.count)]
        guard let document = try? verifier.verify(changed.span) else { return false }
        return document.payload != Self.payload
    }
}
