import JWTCore

/// A kind of token. Rows have its name.
struct TokenKind: Hashable, Sendable {
    let name: String
    let algorithm: SignatureAlgorithm
    /// The size of the RSA modulus.
    var bits = 2048

    static let rs256 = Self(name: "rs256", algorithm: .rs256)
    static let es256 = Self(name: "es256", algorithm: .es256)
    static let hs256 = Self(name: "hs256", algorithm: .hs256)

    static let all = [
        rs256, Self(name: "rs3072", algorithm: .rs256, bits: 3072), Self(name: "rs4096", algorithm: .rs256, bits: 4096),
        Self(name: "ps256", algorithm: .ps256), es256, Self(name: "es384", algorithm: .es384),
        Self(name: "es512", algorithm: .es512), Self(name: "ed25519", algorithm: .ed25519), hs256,
    ]

    var isRSA: Bool { algorithm == .rs256 || algorithm == .ps256 }

    /// Whether libcrypto needs a millisecond or more for a signature.
    var isSlowToSign: Bool { bits > 2048 || algorithm == .es384 }
}
