#if IDaaS
/// What can be looked up. Lists come in a fixed order, nil means that there is none.
public protocol StoreReading {
    func client(_ id: String) throws -> Client?
    /// Every client, by id.
    func clients() throws -> [Client]

    func user(_ id: String) throws -> User?
    func user(mobile: String) throws -> User?
    /// At most `limit` users by id, those behind `id`.
    func users(after id: String?, limit: Int) throws -> [User]

    func session(_ id: String) throws -> Session?
    /// Every session of a user that is kept, ended or not, the newest first.
    func sessions(of user: String) throws -> [Session]
    /// A session token by its SHA-256.
    func sessionToken(_ digest: [UInt8]) throws -> SessionToken?

    func singleUse(_ purpose: SingleUse.Purpose, _ key: [UInt8]) throws -> SingleUse?
    /// Everything single-use that is about a number, the newest first.
    func singleUses(of subject: String) throws -> [SingleUse]

    func failures(of mobile: String) throws -> LoginFailures?
    /// Everything that was counted of a number, the newest first.
    func events(of mobile: String) throws -> [NumberEvent]
    /// When the `ordinal`-th most recent event of `scope` and `key` after `instant` happened; 1 is the most recent.
    func event(_ scope: Limit.Scope, _ key: String, ordinal: Int, after instant: Timestamp) throws -> Timestamp?

    /// Every signing key that is kept, the oldest first.
    func signingKeys() throws -> [StoredSigningKey]
    /// A number that every change of the signing keys raises.
    func signingKeyRevision() throws -> Int
    /// Nil before any server has signed with them.
    func signingPolicy() throws -> SigningPolicy?
}
#endif
