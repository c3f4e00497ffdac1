import Foundation
import JWTCore
import JWTSigning
import JWTTestSupport

/// One key of every algorithm that this libcrypto supports, made once for all tests.
enum Forges {
    static let available = SignatureAlgorithm.all.filter(\.isAvailable)
    private static let all = Dictionary(uniqueKeysWithValues: available.map { ($0, TokenForge($0)) })

    static func of(_ algorithm: SignatureAlgorithm) -> TokenForge {
        guard let forge = all[algorithm] else { fatalError("\(algorithm) is not available here") }
        return forge
    }

    static let rs256 = of(.rs256)
    static let es256 = of(.es256)
    static let ed25519 = of(.edDSA)
    static let hs256 = of(.hs256)
}

extension TokenForge {
    /// A verifier with this key, under `policy`.
    func verifier(_ policy: ClaimsPolicy = .lenient, limits: TokenLimits = .standard) -> TokenVerifier<KeySet> {
        TokenVerifier(keys: keySet, policy: policy, limits: limits)
    }

    /// The key as members of a JWK, to be changed and written again with ``jwk(_:)``.
    var members: [String: any Sendable] {
        (try? JSONSerialization.jsonObject(with: Data(jwk.utf8))) as? [String: String] ?? [:]
    }
}

/// A JSON object of `members`.
func jwk(_ members: [String: any Sendable]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
}

/// `members` with some replaced; nil removes one.
func jwk(_ members: [String: any Sendable], _ changes: [String: (any Sendable)?]) -> String {
    jwk(members.merging(changes.compactMapValues { $0 }) { $1 }.filter { name, _ in changes[name].map { $0 != nil } ?? true })
}

/// The base64url text of `bytes`.
func base64url(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Base64URL.encode(bytes), as: UTF8.self) }

/// The bytes of a JWK's base64url text; empty if it is invalid.
func bytes(_ text: (any Sendable)?) -> [UInt8] { (try? Base64URL.bytes(((text as? String) ?? "").utf8.span)) ?? [] }

/// A token with an HMAC under `secret`, which may be too short.
func hmacToken(_ algorithm: SignatureAlgorithm, secret: [UInt8], payload: String = TokenForge.idToken) -> String? {
    SigningKey.secret(secret, algorithm: algorithm).flatMap { TokenSigner($0).token(payload: payload) }
}
