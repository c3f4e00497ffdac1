#if IDaaS
internal import JWTCore
internal import Secrets

/// The RSA keys of `X-signature`: made, sealed, opened.
package struct ClientKeys: Sendable {
    private let serverKey: ServerKey
    private let randomness: Randomness
    /// By public key: a new key of a client is another one at once.
    private let opened = Locked<[String: DecryptionKey]>([:])

    init(serverKey: ServerKey, randomness: Randomness) {
        self.serverKey = serverKey
        self.randomness = randomness
    }

    /// A new key for a client.
    func make(for client: String) throws -> ClientSignatureKey {
        guard let key = DecryptionKey.generate(bits: 2048), var document = key.privateDocument else {
            throw KeyFailure.cryptography
        }
        defer { wipe(&document) }
        return ClientSignatureKey(
            publicKey: key.publicPEM, sealedPrivateKey: try serverKey.seal(document, as: .clientKey(client: client), randomness))
    }

    /// - Throws: `IDAAS.SDK.COMMON.1014` if the client has none.
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
#endif
