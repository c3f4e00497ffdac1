import Foundation
import JWTCore

/// One signature of a JWS in JSON serialization (RFC 7515 section 7.2), which `TokenVerifier` does not read: the test converts it to the
/// compact form where one exists. ``DocumentTests`` reads the documents as they are.
struct JSONSignature {
    let payload: String?
    let protected: String?
    let signature: String

    /// The signatures of a general or flattened JWS.
    static func all(in jws: [String: Any]) -> [Self] {
        let payload = jws["payload"] as? String
        return (jws["signatures"] as? [[String: Any]] ?? [jws]).map {
            Self(payload: payload, protected: $0["protected"] as? String, signature: $0["signature"] as? String ?? "")
        }
    }

    private var header: [String: Any] { ConformanceInput.header(protected ?? "") }
    private var isUnencoded: Bool { header["b64"] as? Bool == false }
    var compact: String { "\(protected ?? "").\(payload ?? "").\(signature)" }

    /// The library's result for the compact form, or for the detached one if there is no payload or one with a dot in it. `apart` is the
    /// detached payload.
    func judgement(_ keys: Keys, apart: [UInt8]) -> Judgement {
        let algorithms = ConformanceInput.algorithms(header)
        if let payload, !(isUnencoded && payload.contains(".")) { return Judgement(jws: compact, keys, algorithms) }
        return Judgement(detached: "\(protected ?? "")..\(signature)", apart, keys, algorithms)
    }

    /// Whether the signature is valid for the signed bytes, with or without a header: for forms without a compact token.
    func isGood(_ algorithm: SignatureAlgorithm, _ keys: Keys) -> Bool {
        guard let signature = ConformanceInput.decoded(signature) else { return false }
        let message = Array("\(protected ?? "").\(payload ?? "")".utf8)
        return keys.list.contains { SignatureEngine.verify(algorithm, key: $0, message: message.span, signature: signature.span) }
    }
}
