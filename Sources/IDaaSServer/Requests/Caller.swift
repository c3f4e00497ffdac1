package import IDaaSWire

/// The caller: the checked common headers of a request (section 3.1 of the wire protocol).
package struct Caller: Hashable, Sendable {
    /// `X-client-id`, of a client that exists.
    package var client: Client
    /// SHA-256 of `X-device-fingerprint`.
    package var device: [UInt8]
    /// For the list of sessions: `X-operating-sys-version`.
    package var deviceName: String
    /// The address of the peer, or the one that a configured proxy names.
    package var address: String
    package var language: Language
    package var requestID: String

    package init(client: Client, device: [UInt8], deviceName: String, address: String, language: Language, requestID: String) {
        self.client = client
        self.device = device
        self.deviceName = deviceName
        self.address = address
        self.language = language
        self.requestID = requestID
    }
}
