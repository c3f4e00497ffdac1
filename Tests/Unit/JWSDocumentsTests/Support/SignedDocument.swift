import JWSDocuments
import JWTCore
import JWTSigning
import JWTTestSupport

/// Signers, their documents, and what is judged of them.
enum SignedDocument {
    static let alice = TokenForge(.edDSA, keyID: "alice")
    static let bob = TokenForge(.es256, keyID: "bob")
    /// Whose key no verifier has.
    static let stranger = TokenForge(.es256, keyID: "stranger")
    static let keys = TokenForge.keySet([alice.jwk, bob.jwk])
    static let payload = #"{"version":7}"#

    static func encoded(_ text: String) -> String { String(decoding: Base64URL.encode(Array(text.utf8)), as: UTF8.self) }

    /// The members of one signature.
    ///
    /// - Parameters:
    ///   - protected: the protected header; nil for none, `%` stands for the algorithm and the key of `forge`.
    ///   - header: the unprotected header as JSON; nil for none.
    ///   - written: the payload as it is signed.
    static func signature(
        by forge: TokenForge, protected: String? = "%", header: String? = nil, over written: String = encoded(payload)
    ) -> String {
        let own = #""alg":"\#(forge.key.algorithm.name)","kid":"\#(forge.key.keyID ?? "")""#
        let text = protected.map { encoded("{" + $0.replacing("%", with: own) + "}") }
        let input = Array("\(text ?? "").\(written)".utf8)
        let signature = String(decoding: Base64URL.encode(forge.key.signature(of: input) ?? []), as: UTF8.self)
        var members = [#""signature":"\#(signature)""#]
        if let text { members.append(#""protected":"\#(text)""#) }
        if let header { members.append(#""header":\#(header.replacing("%", with: own))"#) }
        return members.joined(separator: ",")
    }

    static func flattened(_ signature: String, payload: String = encoded(payload)) -> String { #"{"payload":"\#(payload)",\#(signature)}"# }

    static func general(_ signatures: [String], payload: String = encoded(payload)) -> String {
        #"{"payload":"\#(payload)","signatures":[\#(signatures.map { "{\($0)}" }.joined(separator: ","))]}"#
    }

    /// The payload as text, or the name of the code, with that of the verifier's code behind it.
    static func outcome(
        _ document: String, detached payload: String? = nil, _ policy: DocumentPolicy = DocumentPolicy(requirement: .all),
        keys: some KeySource = keys, limits: DocumentLimits = .standard
    ) -> String {
        do throws(DocumentError) {
            let verifier = DocumentVerifier(keys: keys, policy: policy, limits: limits)
            let verified: VerifiedDocument
            if let payload {
                verified = try verifier.verify(document, detached: Array(payload.utf8))
            } else {
                verified = try verifier.verify(document)
            }
            return String(decoding: verified.payload, as: UTF8.self)
        } catch {
            return error.cause.map { "\(error.code.name): \($0.code.name)" } ?? error.code.name
        }
    }
}
