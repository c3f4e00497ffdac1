/// A key that signatures are verified with, or one that was meant to be: what is wrong with a key is part of it, so that one bad
/// key never costs the others of its set and stays there to be looked at. Immutable.
public final class VerificationKey: Sendable {
    let facts: KeyFacts
    /// What kernels have prepared of it; nil where libcrypto alone verifies with it.
    package let kernelKey: KernelKey?
    let borrowed: BorrowedKey

    init(_ facts: KeyFacts) {
        self.facts = facts
        kernelKey = facts.refusal == nil ? facts.kernelMaterial.map { KernelKey($0) } : nil
        borrowed = BorrowedKey(facts, kernelKey)
    }

    /// `kid`, the key's name.
    public var keyID: String? { facts.keyID }
    /// `kty`, as written.
    public var kindName: String? { facts.kindName }
    /// `kty`, if known.
    public var kind: KeyKind? { facts.kind }
    /// `crv`, as written.
    public var curveName: String? { facts.curveName }
    /// The curve or parameter set, if known.
    public var group: KeyGroup? { facts.group }
    /// `alg`, as written.
    public var algorithmName: String? { facts.algorithmName }
    /// `use`, as written.
    public var use: String? { facts.use }
    /// `key_ops`, as written.
    public var operations: [String]? { facts.operations }
    /// The algorithms that `kty`, `crv` and `alg` leave; a token must name one of them.
    public var algorithms: AlgorithmSet { facts.algorithms }
    /// Bits of the modulus, field or secret.
    public var bits: Int { facts.bits }
    /// The RFC 7638 thumbprint (SHA-256, base64url), where the public members are there; never of a shared secret.
    public var thumbprint: String? { facts.thumbprint }
    /// What does not stop the key but should be known.
    public var advisories: [Advisory] { facts.advisories }
    /// Why it cannot be used for anything; nil if it can. A short secret may still be refused for a longer hash.
    public var refusal: VerificationError.Code? { facts.refusal }

    package var handle: OpenSSLKey? { facts.handle }

    /// A remark on a key.
    public enum Advisory: String, Sendable, CaseIterable {
        /// RSA with an exponent below 65537: valid, but fragile where padding is checked carelessly (elsewhere).
        case smallExponent = "small public exponent"
        /// The document holds the private key. It is not used; its publisher has a problem.
        case privateMaterial = "private key published"
        /// RFC 7518 section 6.3.1.1 wants none; some providers do it.
        case leadingZeros = "modulus has leading zeros"
        /// A published document holds a shared secret, which is none any more: it is not used.
        case publishedSecret = "shared secret published"
    }
}
