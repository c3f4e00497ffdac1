#if IDaaS
/// A login that lasts: the family of session tokens that descend from it, of which the newest is alive.
public struct Session: Hashable, Sendable {
    /// `sid` of the id_tokens.
    public var id: String
    public var user: String
    public var client: String
    /// SHA-256 of the fingerprint of the device that it belongs to.
    public var device: [UInt8]
    public var deviceName: String
    /// How the user proved to be the one (RFC 8176).
    public var methods: [String]
    /// When: `auth_time`, which no refresh changes.
    public var authenticated: Timestamp
    public var used: Timestamp
    /// The generation of the living token, from 0.
    public var generation: Int
    /// What every token of the family is derived from, under the server's key.
    public var sealedFamilyKey: [UInt8]
    public var ended: Timestamp?

    public init(
        id: String, user: String, client: String, device: [UInt8], deviceName: String, methods: [String], authenticated: Timestamp,
        used: Timestamp, generation: Int = 0, sealedFamilyKey: [UInt8], ended: Timestamp? = nil
    ) {
        self.id = id
        self.user = user
        self.client = client
        self.device = device
        self.deviceName = deviceName
        self.methods = methods
        self.authenticated = authenticated
        self.used = used
        self.generation = generation
        self.sealedFamilyKey = sealedFamilyKey
        self.ended = ended
    }
}

/// One token of a session's family. The token itself is nowhere.
public struct SessionToken: Hashable, Sendable {
    /// SHA-256 of the token.
    public var digest: [UInt8]
    public var session: String
    public var generation: Int
    /// When a successor took its place.
    public var rotated: Timestamp?

    public init(digest: [UInt8], session: String, generation: Int, rotated: Timestamp? = nil) {
        self.digest = digest
        self.session = session
        self.generation = generation
        self.rotated = rotated
    }
}
#endif
