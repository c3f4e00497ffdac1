#if IDaaS
/// Who asks: what the common headers of a request say, checked (section 3.1 of the wire protocol).
public struct Caller: Hashable, Sendable {
    /// `X-client-id`, of a client that exists.
    public var client: Client
    /// SHA-256 of `X-device-fingerprint`.
    public var device: [UInt8]
    /// For the list of sessions: `X-operating-sys-version`.
    public var deviceName: String
    /// The address of the peer, or the one that a configured proxy names.
    public var address: String
    public var language: Language
    public var requestID: String

    public init(client: Client, device: [UInt8], deviceName: String, address: String, language: Language, requestID: String) {
        self.client = client
        self.device = device
        self.deviceName = deviceName
        self.address = address
        self.language = language
        self.requestID = requestID
    }
}

/// The languages that errors and messages come in.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case chinese = "zh"
    case english = "en"
}
#endif
