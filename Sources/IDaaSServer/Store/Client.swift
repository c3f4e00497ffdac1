/// An application that users log in to.
package struct Client: Hashable, Sendable {
    /// `X-client-id`, and the audience of its id_tokens.
    package var id: String
    package var name: String
    /// The settings of this application: its authentication sources and how they behave.
    package var settings: ClientSettings
    /// The RSA key of `X-signature` with a sealed private key; nil until it is made.
    package var signatureKey: ClientSignatureKey?
    package var created: Timestamp

    package init(id: String, name: String, settings: ClientSettings, signatureKey: ClientSignatureKey?, created: Timestamp) {
        self.id = id
        self.name = name
        self.settings = settings
        self.signatureKey = signatureKey
        self.created = created
    }
}

package struct ClientSignatureKey: Hashable, Sendable {
    /// SubjectPublicKeyInfo in PEM.
    package var publicKey: String
    /// PKCS#8, sealed under the server's key.
    package var sealedPrivateKey: [UInt8]
}
