#if IDaaS
/// An application that users log in to.
public struct Client: Hashable, Sendable {
    /// `X-client-id`, and the audience of its id_tokens.
    public var id: String
    public var name: String
    /// What depends on the application: its authentication sources and how they behave.
    public var settings: ClientSettings
    /// The RSA key of `X-signature`, its private half sealed; nil until one is made.
    public var signatureKey: ClientSignatureKey?
    public var created: Timestamp

    public init(id: String, name: String, settings: ClientSettings, signatureKey: ClientSignatureKey?, created: Timestamp) {
        self.id = id
        self.name = name
        self.settings = settings
        self.signatureKey = signatureKey
        self.created = created
    }
}

/// Typed and versioned, stored as JSON: a member that is absent has its default, so that old records stay readable.
public struct ClientSettings: Hashable, Sendable, Codable {
    public var version = 1
    /// Log in by SMS code.
    public var sms = true
    /// Make a user for a number that has none. When off, an unknown number takes the same path to nowhere.
    public var registersUnknownNumbers = true
    /// Whether an unknown number is told so (COMMON.1013) at login, where none is registered.
    public var revealsUnknownNumbers = false
    /// Give a new session token at each refresh.
    public var rotatesSessionTokens = true
    /// AJ-Captcha's `token---point` instead of an opaque captcha token; both are kept by the server.
    public var compatibleCaptchaToken = false
    /// MGF1 with SHA-1 in `X-signature`, as SunJCE pairs it, instead of SHA-256.
    public var signatureMaskSHA1 = false

    public init() {}

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
            value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(.version, &version)
        try read(.sms, &sms)
        try read(.registersUnknownNumbers, &registersUnknownNumbers)
        try read(.revealsUnknownNumbers, &revealsUnknownNumbers)
        try read(.rotatesSessionTokens, &rotatesSessionTokens)
        try read(.compatibleCaptchaToken, &compatibleCaptchaToken)
        try read(.signatureMaskSHA1, &signatureMaskSHA1)
    }
}

public struct ClientSignatureKey: Hashable, Sendable {
    /// SubjectPublicKeyInfo in PEM.
    public var publicKey: String
    /// PKCS#8, under the server's key.
    public var sealedPrivateKey: [UInt8]

    public init(publicKey: String, sealedPrivateKey: [UInt8]) {
        self.publicKey = publicKey
        self.sealedPrivateKey = sealedPrivateKey
    }
}
#endif
