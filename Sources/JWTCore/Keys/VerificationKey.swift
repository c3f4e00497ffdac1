/// A key that signatures are verified with, or one that was meant to be: what is wrong with a key is part of it, so that one bad
/// key never costs the others of its set and stays there to be looked at.
public struct VerificationKey: Sendable {
    /// `kid`, the key's name.
    public internal(set) var keyID: String?
    /// `kty`, as written.
    public internal(set) var kindName: String?
    /// `kty`, if known.
    public internal(set) var kind: KeyKind?
    /// `crv`, as written.
    public internal(set) var curveName: String?
    /// The curve or parameter set, if known.
    public internal(set) var group: KeyGroup?
    /// `alg`, as written.
    public internal(set) var algorithmName: String?
    /// `use`, as written.
    public internal(set) var use: String?
    /// `key_ops`, as written.
    public internal(set) var operations: [String]?
    /// The algorithms that `kty`, `crv` and `alg` leave; a token must name one of them.
    public internal(set) var algorithms: AlgorithmSet = []
    /// Bits of the modulus, field or secret.
    public internal(set) var bits = 0
    /// The RFC 7638 thumbprint (SHA-256, base64url), where the public members are there.
    public internal(set) var thumbprint: String?
    /// What does not stop the key but should be known.
    public internal(set) var advisories: [Advisory] = []
    /// Why it cannot be used for anything; nil if it can. A short secret may still be refused for a longer hash.
    public internal(set) var refusal: VerificationError.Code?

    var handle: OpenSSLKey?

    init() {}

    /// A remark on a key.
    public enum Advisory: String, Sendable, CaseIterable {
        /// RSA with an exponent below 65537: valid, but fragile where padding is checked carelessly (elsewhere).
        case smallExponent = "small public exponent"
        /// The document holds the private key. It is not used; its publisher has a problem.
        case privateMaterial = "private key published"
        /// RFC 7518 section 6.3.1.1 wants none; some providers do it.
        case leadingZeros = "modulus has leading zeros"
    }

    /// Why the key does not serve a token of `algorithm`; nil if it does. What fits nothing is said before what is too weak.
    func refusal(for algorithm: SignatureAlgorithm) -> VerificationError.Code? {
        if !algorithms.contains(algorithm) { return .keyAlgorithmMismatch }
        if let refusal { return refusal }
        return algorithm.isSymmetric && bits < 8 * algorithm.row.secretLength ? .weakKey : nil
    }
}

/// The limits of keys (RFC 7518 sections 3.3 and 3.5; the upper ones bound what a verification may cost).
enum KeyLimits {
    static let rsaBits = 2048...8192
    /// Bits of an RSA exponent: what OpenSSL takes with large moduli.
    static let exponentBits = 64
    static let secretBytes = 32...1024
}
