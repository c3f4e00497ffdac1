/// A login, and the family of its session tokens. Only the newest token is live.
package struct StoredSession: Hashable, Sendable {
    /// `sid` of the id_tokens.
    package var id: String
    package var user: String
    package var client: String
    /// SHA-256 of the fingerprint of the device that it belongs to.
    package var device: [UInt8]
    package var deviceName: String
    /// The authentication methods (RFC 8176).
    package var methods: [String]
    /// `auth_time`: when the user logged in. A refresh does not change it.
    package var authenticated: Timestamp
    package var used: Timestamp
    /// The generation of the live token, from 0.
    package var generation = 0
    /// The key that every token of the family is derived from, sealed under the server's key.
    package var sealedFamilyKey: [UInt8]
    package var ended: Timestamp?
    /// Nil for a session that began without status lists. `save` does not change it.
    package var status: StatusPlace?
}

/// One token of a session's family. The token itself is not stored.
package struct SessionToken: Hashable, Sendable {
    /// SHA-256 of the token.
    package var digest: [UInt8]
    package var session: String
    package var generation: Int
    /// When a successor replaced it.
    package var rotated: Timestamp?
}
