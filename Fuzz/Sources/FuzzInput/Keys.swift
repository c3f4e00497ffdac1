import JWTCore
import JWTSigning

/// The keys of all fuzzers. Each is made from fixed bytes, so that an input means the same in every run; an RSA key has none.
public enum Keys {
    public static let hs256 = secret(0x5a, .hs256, "hs")
    public static let ed25519 = imported([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20], .ed25519, "ed")
    public static let es256 = imported(
        [
            0x30, 0x41, 2, 1, 0, 0x30, 0x13, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7,
            4, 0x27, 0x30, 0x25, 2, 1, 1, 4, 0x20,
        ], .es256, "es")
    public static let rs256 = made(SigningKey.generate(.rs256, keyID: "rs"))
    public static let es384 = made(SigningKey.generate(.es384, keyID: "es384"))

    /// The secret of ``hs256`` as a JWK.
    public static let hs256JWK = #"{"kty":"oct","alg":"HS256","kid":"hs","k":"\#(text(Array(repeating: 0x5a, count: 32)))"}"#

    /// A JWK Set of these.
    public static func set(_ jwks: [String]) -> KeySet {
        do {
            return try KeySet(jwks: #"{"keys":[\#(jwks.joined(separator: ","))]}"#)
        } catch {
            preconditionFailure("a fuzzer's own keys are refused: \(error)")
        }
    }

    /// The public key of `key` as a JWK.
    public static func jwk(_ key: SigningKey) -> String { key.publicJWK ?? hs256JWK }

    /// A token with any header and payload.
    public static func token(_ key: SigningKey, header: [UInt8], payload: [UInt8]) -> [UInt8] {
        let message = Base64URL.encode(header) + [UInt8(ascii: ".")] + Base64URL.encode(payload)
        return message + [UInt8(ascii: ".")] + Base64URL.encode(key.signature(of: message) ?? [])
    }

    /// The public key of `key` as a JWK without `alg`, `use` and `kid`, as a client writes it into what it signs.
    public static func bareJWK(_ key: SigningKey) -> String {
        guard let members = try? JSONTree(parsing: Array(jwk(key).utf8)).members else { preconditionFailure("a JWK that is no object") }
        return String(decoding: JSONTree.object(members.filter { !["alg", "use", "kid"].contains($0.key) }).json, as: UTF8.self)
    }

    public static func text(_ bytes: [UInt8]) -> String { String(decoding: Base64URL.encode(bytes), as: UTF8.self) }

    private static func secret(_ byte: UInt8, _ algorithm: SignatureAlgorithm, _ keyID: String) -> SigningKey {
        made(SigningKey.secret(Array(repeating: byte, count: 32), algorithm: algorithm, keyID: keyID))
    }

    /// A private key of 32 equal bytes behind the head of its PKCS#8 document (RFC 5958).
    private static func imported(_ head: [UInt8], _ algorithm: SignatureAlgorithm, _ keyID: String) -> SigningKey {
        made(SigningKey.importing(head + [UInt8](repeating: 0x42, count: 32), algorithm: algorithm, keyID: keyID))
    }

    private static func made(_ key: SigningKey?) -> SigningKey {
        guard let key else { preconditionFailure("libcrypto cannot make a fuzzer's key") }
        return key
    }
}
