/// A key for verifying signatures, usable or not. An unusable key records its defect, so that it does not fail the other keys of its set
/// and can be inspected. Immutable.
public final class VerificationKey: Sendable {
    let facts: KeyFacts
    /// The key prepared for the kernels; nil if only libcrypto verifies with it.
    package let kernelKey: KernelKey?
    let borrowed: BorrowedKey

    convenience init(_ facts: KeyFacts) { self.init(facts, tables: .shared) }

    /// - Parameter tables: where the kernels prepare the key; nil if only libcrypto is to verify with it.
    init(_ facts: KeyFacts, tables: KeyTables?) {
        self.facts = facts
        let material = facts.unusableReason == nil ? facts.kernelMaterial : nil
        kernelKey = material.flatMap { material in tables.map { KernelKey(material, tables: $0) } }
        borrowed = BorrowedKey(
            curve: facts.curve, algorithms: facts.algorithms, bits: facts.bits, unusableReason: facts.unusableReason, handle: facts.handle,
            kernelKey: kernelKey)
    }

    /// `kid`, the key's name.
    public var keyID: String? { facts.keyID }
    /// `kty`, as written.
    public var typeName: String? { facts.typeName }
    /// `kty`, if known.
    public var type: KeyType? { facts.type }
    /// `crv`, as written.
    public var curveName: String? { facts.curveName }
    /// The curve or parameter set, if known.
    public var curve: Curve? { facts.curve }
    /// `alg`, as written.
    public var algorithmName: String? { facts.algorithmName }
    /// `use`, as written.
    public var use: String? { facts.use }
    /// `key_ops`, as written.
    public var operations: [String]? { facts.operations }
    /// The algorithms that `kty`, `crv` and `alg` allow; a token must use one of them.
    public var algorithms: AlgorithmSet { facts.algorithms }
    /// Bits of the modulus, field or secret.
    public var bits: Int { facts.bits }
    /// The RFC 7638 thumbprint (SHA-256, base64url), if the public members are present; never of a shared secret.
    public var thumbprint: String? { facts.thumbprint }
    /// Defects that do not make the key unusable.
    public var advisories: [Advisory] { facts.advisories }
    /// Why it is unusable; nil if it is usable. A short secret may still be refused for a longer hash.
    public var unusableReason: VerificationError.Code? { facts.unusableReason }

    package var handle: OpenSSLKey? { facts.handle }

    /// A remark on a key.
    public enum Advisory: String, Sendable, CaseIterable {
        /// RSA with an exponent below 65537: valid, but fragile with verifiers that check padding carelessly.
        case smallExponent = "small public exponent"
        /// The document contains the private key. It is not used; the publisher should be told.
        case privateMaterial = "private key published"
        /// RFC 7518 section 6.3.1.1 forbids them; some providers write them.
        case leadingZeros = "modulus has leading zeros"
        /// A published document contains a shared secret. It is not used.
        case publishedSecret = "shared secret published"
    }
}

extension KernelKey {
    /// The same key with tables in another budget. For tests.
    package convenience init?(_ key: VerificationKey, tables: KeyTables) {
        guard let material = key.facts.kernelMaterial else { return nil }
        self.init(material, tables: tables)
    }
}
