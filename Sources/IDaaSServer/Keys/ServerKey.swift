internal import JWTCore
internal import JWTSigning
internal import Secrets

/// The only secret that the server gets: 32 bytes, from a file or the environment. Keys derived from it seal or compare all other secrets.
/// Without it the secrets in a stolen store are useless.
package struct ServerKey: Sendable {
    /// Seals private keys and session families at rest.
    let sealing: SealingKey
    /// Hashes SMS codes: an unkeyed hash of six digits would hide nothing.
    let codes: AuthenticationKey
    /// Signs and verifies state tokens.
    let state: Concealed<StateKey>

    package static let byteCount = 32

    /// - Throws: ``KeyFailure/serverKeyLength`` unless `bytes` has 32 bytes; ``KeyFailure/cryptography``.
    package init(bytes: [UInt8]) throws {
        guard bytes.count == Self.byteCount else { throw KeyFailure.serverKeyLength }
        let root = AuthenticationKey(bytes)
        // One block of HKDF-Expand (RFC 5869 section 2.3): the key is already uniform, and one block is enough.
        func derived(_ purpose: String) -> [UInt8] { root.code(for: Array("assay idaas \(purpose)".utf8) + [1]) }
        guard let sealing = SealingKey(derived("sealing")) else { throw KeyFailure.serverKeyLength }
        self.sealing = sealing
        codes = AuthenticationKey(derived("codes"))
        state = Concealed(try StateKey(derived("state")))
    }
}

/// The secret of the state tokens, ready for use.
struct StateKey: Sendable {
    let signer: TokenSigner
    let keys: KeySet

    fileprivate init(_ secret: [UInt8]) throws {
        guard let key = SigningKey.secret(secret, algorithm: .hs256) else { throw KeyFailure.cryptography }
        signer = TokenSigner(key)
        keys = KeySet(try VerificationKey(secret: secret, algorithm: .hs256))
    }
}

/// Why a key cannot be used.
package enum KeyFailure: Error, Hashable, Sendable {
    /// The server key does not have 32 bytes.
    case serverKeyLength
    /// A sealed secret in the store does not open: another server key sealed it, or the store was changed.
    case sealedUnderAnotherKey
    /// libcrypto got no memory to open a sealed secret.
    case memory
    /// libcrypto returned an error.
    case cryptography
    /// No key has this id.
    case unknownKey
}
