package import IDaaSWire

/// The public key of a user's phone, which answers requests for a second factor. A user has one for each client.
package struct BoundKey: Hashable, Sendable {
    package var user: String
    package var client: String
    /// SHA-256 of ``document``.
    package var keyID: [UInt8]
    /// SubjectPublicKeyInfo in DER.
    package var document: [UInt8]
    /// The version of the signature at binding. Lower ones are refused ever after.
    package var version: SignatureVersion
    /// SHA-256 of the fingerprint of the device that bound it.
    package var device: [UInt8]
    package var deviceName: String
    package var bound: Timestamp

    package init(
        user: String, client: String, keyID: [UInt8], document: [UInt8], version: SignatureVersion, device: [UInt8], deviceName: String,
        bound: Timestamp
    ) {
        self.user = user
        self.client = client
        self.keyID = keyID
        self.document = document
        self.version = version
        self.device = device
        self.deviceName = deviceName
        self.bound = bound
    }
}
