#if IDaaS
internal import Secrets

/// The one secret that the server is given: 32 bytes, from a file or the environment. Everything else that has to stay secret is
/// sealed with keys derived from it, or compared under them; the store without it is worth nothing to a thief.
package struct ServerKey: Sendable {
    /// Seals private keys and session families at rest.
    let sealing: SealingKey
    /// Hashes SMS codes: of six digits an unkeyed hash would hide nothing.
    let codes: AuthenticationKey
    /// Signs state tokens.
    let state: Concealed<[UInt8]>

    package static let byteCount = 32

    /// - Throws: ``KeyFailure/serverKeyLength`` unless there are 32 bytes.
    package init(bytes: [UInt8]) throws {
        guard bytes.count == Self.byteCount else { throw KeyFailure.serverKeyLength }
        let root = AuthenticationKey(bytes)
        // One block of HKDF-Expand (RFC 5869 section 2.3): the key is uniform already, and a block is all that is needed.
        func derived(_ purpose: String) -> [UInt8] { root.code(for: Array("assay idaas \(purpose)".utf8) + [1]) }
        guard let sealing = SealingKey(derived("sealing")) else { throw KeyFailure.serverKeyLength }
        self.sealing = sealing
        codes = AuthenticationKey(derived("codes"))
        state = Concealed(derived("state"))
    }
}

/// Why keys cannot be had.
package enum KeyFailure: Error, Hashable, Sendable {
    /// The server key is not of 32 bytes.
    case serverKeyLength
    /// What is sealed in the store does not open: the server key is another's, or the store was tampered with.
    case sealedUnderAnotherKey
    /// libcrypto refused.
    case cryptography
    /// There is no key of that id.
    case unknownKey
}
#endif
