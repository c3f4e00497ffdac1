/// The facts of a key, collected while its document is read.
struct KeyFacts: Sendable {
    var keyID: String?
    var typeName: String?
    var type: KeyType?
    var curveName: String?
    var curve: Curve?
    var algorithmName: String?
    var use: String?
    var operations: [String]?
    var algorithms: AlgorithmSet = []
    var bits = 0
    var thumbprint: String?
    var advisories: [VerificationKey.Advisory] = []
    var unusableReason: VerificationError.Code?
    var handle: OpenSSLKey?
    /// The material for the kernels' table; nil if no kernel supports the key.
    var kernelMaterial: KernelMaterial?

    init() {}

    /// Records why the key cannot be used. The first reason counts.
    mutating func refuse(_ code: VerificationError.Code) {
        if unusableReason == nil { unusableReason = code }
    }
}

/// The limits of keys (RFC 7518 sections 3.3 and 3.5; the upper limits bound the cost of a verification).
enum KeyLimits {
    static let rsaBits = 2048...8192
    /// Bits of an RSA exponent: OpenSSL's limit for large moduli.
    static let exponentBits = 64
    static let secretBytes = 32...1024
}
