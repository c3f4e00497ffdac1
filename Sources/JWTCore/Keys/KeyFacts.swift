/// What is known of a key, while it is being read from its document and ever after.
struct KeyFacts: Sendable {
    var keyID: String?
    var kindName: String?
    var kind: KeyKind?
    var curveName: String?
    var group: KeyGroup?
    var algorithmName: String?
    var use: String?
    var operations: [String]?
    var algorithms: AlgorithmSet = []
    var bits = 0
    var thumbprint: String?
    var advisories: [VerificationKey.Advisory] = []
    var refusal: VerificationError.Code?
    var handle: OpenSSLKey?
    /// What kernels can make a table of; nil where they do not know such keys.
    var kernelMaterial: KernelMaterial?

    init() {}

    /// Notes why the key cannot be used. The first reason stands.
    mutating func refuse(_ code: VerificationError.Code) {
        if refusal == nil { refusal = code }
    }
}

/// The limits of keys (RFC 7518 sections 3.3 and 3.5; the upper ones bound what a verification may cost).
enum KeyLimits {
    static let rsaBits = 2048...8192
    /// Bits of an RSA exponent: what OpenSSL takes with large moduli.
    static let exponentBits = 64
    static let secretBytes = 32...1024
}
