/// The lookups of a store. Lists have a fixed order; nil means that there is no such record.
package protocol StoreReading {
    func client(_ id: String) throws -> Client?
    /// Every client, by id.
    func clients() throws -> [Client]

    /// What a client that registered itself has been used for; nil for one of an administrator.
    func registeredClient(_ id: String) throws -> RegisteredClient?
    func registeredClientCount() throws -> Int
    /// At most `limit` registered clients that nobody has granted anything and that were made until `unused`, or that were last used until
    /// `idle`.
    func registeredClients(unusedSince unused: Timestamp, idleSince idle: Timestamp, limit: Int) throws -> [String]

    func user(_ id: String) throws -> User?
    func user(mobile: String) throws -> User?
    /// The users with this user name, at most two: a name of several users identifies none.
    func users(named userName: String) throws -> [User]
    /// At most `limit` users after `id`, sorted by id.
    func users(after id: String?, limit: Int) throws -> [User]

    /// The user of an account with another provider.
    func user(of account: SocialAccount.Key) throws -> String?
    /// The accounts of a user with other providers.
    func socialAccounts(of user: String) throws -> [SocialAccount]

    /// The key of a user's phone.
    func boundKey(of user: String, with client: String) throws -> BoundKey?
    /// Every key of a user's phones.
    func boundKeys(of user: String) throws -> [BoundKey]

    /// A request for a second factor by the digest of its `auth_req_id`.
    func approval(_ id: [UInt8]) throws -> Approval?
    /// The newest request of a user for an authenticator, answered or not.
    func latestApproval(of user: String, with authenticator: String) throws -> Approval?

    func session(_ id: String) throws -> StoredSession?
    /// Every stored session of a user, ended or not, newest first.
    func sessions(of user: String) throws -> [StoredSession]
    /// A session token by its SHA-256.
    func sessionToken(_ digest: [UInt8]) throws -> SessionToken?

    /// What the session of a grant is for; nil for the session of a login.
    func resourceGrant(of session: String) throws -> ResourceGrant?

    func statusList(_ id: String) throws -> StoredStatusList?
    /// The newest list that takes sessions at `instant`.
    func openStatusList(at instant: Timestamp) throws -> StoredStatusList?
    /// The statuses of a list at `instant`.
    func statuses(of list: StoredStatusList, at instant: Timestamp) throws -> StatusBits

    func singleUse(_ purpose: SingleUse.Purpose, _ key: [UInt8]) throws -> SingleUse?
    /// The single-use records of a number, newest first.
    func singleUses(of subject: String) throws -> [SingleUse]

    /// The failures of a number on each of its devices, newest first.
    func failures(of mobile: String) throws -> [LoginFailures]
    func failures(of mobile: String, on device: [UInt8]) throws -> LoginFailures?
    /// The counted events of a number, newest first.
    func events(of mobile: String) throws -> [NumberEvent]
    /// When the `ordinal`-th most recent event of `scope` and `key` after `instant` happened; 1 is the most recent.
    func event(_ scope: Limit.Scope, _ key: String, ordinal: Int, after instant: Timestamp) throws -> Timestamp?

    /// Every stored signing key, oldest first.
    func signingKeys() throws -> [StoredSigningKey]
    /// A counter that every change of the signing keys increases.
    func signingKeyRevision() throws -> Int
    /// Nil before a server has signed with the keys.
    func signingPolicy() throws -> SigningPolicy?

    /// Every stream of shared signals, by id.
    func signalStreams() throws -> [SignalStream]
    func signalStream(_ id: String) throws -> SignalStream?
    /// What the streams have for their receivers at `instant`.
    func signalLook(at instant: Timestamp) throws -> SignalLook
    /// At most `limit` signals of a stream that are due at `instant`, the longest due first.
    func signals(of stream: String, at instant: Timestamp, limit: Int) throws -> [StoredSignal]
    /// The signals of a stream with one of these `jti`, in no order. Unknown ones are passed over.
    func signals(_ tokenIDs: [String], of stream: String) throws -> [StoredSignal]
    /// The number of signals that wait, by stream.
    func signalCounts() throws -> [String: Int]
    /// The number of those that were added until `instant`, by stream.
    func signalCounts(before instant: Timestamp) throws -> [String: Int]
    func signalPause(of stream: String) throws -> SignalPause?

    /// At most `limit` audit events after a number, in their order. A number that is absent was deleted: no event becomes visible after one
    /// with a higher number.
    func auditEvents(after number: Int, limit: Int) throws -> [StoredAuditEvent]
    /// The highest number that an audit event has had; 0 before the first.
    func newestAuditNumber() throws -> Int
}
