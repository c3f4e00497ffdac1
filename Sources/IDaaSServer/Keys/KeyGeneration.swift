package import JWTCore
package import JWTSigning
package import Secrets

/// Makes the private keys of the server and of its clients. Tests lend keys instead: libcrypto takes a third of a second for an RSA key.
package struct KeyGeneration: Sendable {
    /// A new key that signs id_tokens under a key id; nil if libcrypto refuses.
    package let signing: @Sendable (_ algorithm: SignatureAlgorithm, _ keyID: String) -> SigningKey?
    /// A new RSA key for `X-signature`; nil if libcrypto refuses.
    package let decryption: @Sendable () -> DecryptionKey?

    package init(
        signing: @Sendable @escaping (_ algorithm: SignatureAlgorithm, _ keyID: String) -> SigningKey?,
        decryption: @Sendable @escaping () -> DecryptionKey?
    ) {
        self.signing = signing
        self.decryption = decryption
    }

    /// A key of its own for each call.
    package static let libcrypto = KeyGeneration(
        signing: { SigningKey.generate($0, keyID: $1) }, decryption: { DecryptionKey.generate(bits: 2048) })
}
