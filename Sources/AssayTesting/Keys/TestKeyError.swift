public import JWTCore

/// Why a key for tests cannot be made, read or used. It holds no part of a key and no claim.
public enum TestKeyError: Error, Hashable, Sendable {
    /// libcrypto has no such keys: ML-DSA needs OpenSSL 3.5.
    case unavailable(SignatureAlgorithm)
    /// The secret of an HMAC is shorter than its hash (RFC 7518 section 3.2).
    case weakSecret
    /// The document is not a private JWK (RFC 7517 section 4) of a known type with an `alg`.
    case notAPrivateJWK
    /// The public and the private members of a JWK are not those of one key.
    case mismatch
    /// No JWK of a private key of this algorithm is written: ML-DSA.
    case noPrivateJWK(SignatureAlgorithm)
    /// libcrypto refuses to sign.
    case signing
    /// libcrypto makes no such key for decryption, or refuses to encrypt.
    case encryption
    /// The claims are not a JSON object.
    case notAnObject
    /// The issuer has no key with this `kid`.
    case unknownKey
}

extension TestKeyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable(let algorithm): "libcrypto cannot make a key for \(algorithm.name)"
        case .weakSecret: "the secret is shorter than the algorithm's hash"
        case .notAPrivateJWK: "the document is not a private JWK of a known type with an alg"
        case .mismatch: "the public and the private members of the JWK are not those of one key"
        case .noPrivateJWK(let algorithm): "a private key of \(algorithm.name) has no JWK here"
        case .signing: "libcrypto refuses to sign with this key"
        case .encryption: "libcrypto makes no such key for decryption, or refuses to encrypt"
        case .notAnObject: "the claims are not a JSON object"
        case .unknownKey: "the issuer has no key with this kid"
        }
    }
}
