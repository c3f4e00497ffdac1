internal import IDaaSWire
internal import JWTCore
internal import Locks
internal import Secrets

/// Makes, seals and opens the RSA keys of `X-signature`.
package struct ClientKeys: DomainService {
    package let environment: SharedEnvironment
    /// Keyed by public key: a client's new key takes effect immediately.
    private let opened = Locked<[String: DecryptionKey]>([:])

    init(environment: SharedEnvironment) { self.environment = environment }

    /// Makes a new key for a client.
    func make(for client: String) throws -> ClientSignatureKey {
        guard let key = environment.keyGeneration.decryption(), var document = key.privateDocument else {
            throw KeyFailure.cryptography
        }
        defer { wipe(&document) }
        return ClientSignatureKey(
            publicKey: key.publicPEM, sealedPrivateKey: try serverKey.seal(document, as: .clientKey(client: client), randomness))
    }

    /// - Throws: `IDAAS.SDK.COMMON.1014` if the client has no key.
    func decryptionKey(of client: Client) throws -> DecryptionKey {
        guard let sealed = client.signatureKey else { throw ServiceError(.missingApplicationKey) }
        if let key = opened.withLock({ $0[sealed.publicKey] }) { return key }
        var document = try serverKey.open(sealed.sealedPrivateKey, as: .clientKey(client: client.id))
        defer { wipe(&document) }
        guard let key = DecryptionKey.importing(document) else { throw KeyFailure.cryptography }
        opened.withLock { $0[sealed.publicKey] = key }
        return key
    }
}
