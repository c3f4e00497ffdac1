package import IDaaSWire

/// The changes of a store. `save` adds a record, or replaces the one with its key.
package protocol StoreWriting: StoreReading {
    func save(_ client: Client) throws
    /// Removes a client with its sessions, and tells the streams; false if there is none.
    func removeClient(_ id: String, at instant: Timestamp) throws -> Bool

    func save(_ client: RegisteredClient) throws

    func save(_ user: User) throws
    /// Removes a user with all sessions and all records of the number, and tells the streams.
    func remove(_ user: User, at instant: Timestamp) throws
    /// Removes all records of a number except its user; false if there are none.
    func removeTraces(of mobile: String) throws -> Bool

    /// Adds an account. Returns false and changes nothing if it belongs to a user.
    func insert(_ account: SocialAccount) throws -> Bool

    /// Replaces the user's key with that client.
    ///
    /// - Returns: false, and changes nothing, if another user or client has the key.
    func save(_ key: BoundKey) throws -> Bool
    func removeBoundKey(of user: String, with client: String) throws

    /// Adds a request. The one that is pending for the same user and authenticator is cancelled.
    func add(_ approval: Approval) throws
    /// Records the answer. Of all calls for one request exactly one returns true, and none after its expiry.
    func answer(_ id: [UInt8], _ answer: Approval.Answer, by verification: UserVerification?, at instant: Timestamp) throws -> Bool
    /// Marks an approved request as delivered. Of all calls for one request exactly one returns true.
    func deliver(_ id: [UInt8], at instant: Timestamp) throws -> Bool
    /// Records a poll, with the interval that the next one has to keep.
    func poll(_ id: [UInt8], at instant: Timestamp, interval: Duration) throws
    /// Cancels the pending request of a user and authenticator.
    func cancelApprovals(of user: String, with authenticator: String, at instant: Timestamp) throws

    /// A session that has ended has its place in its status list revoked, in this transaction. So has one that a removed user or client had.
    func save(_ session: StoredSession) throws
    /// Ends the sessions of a selection, revokes their places, and tells the streams: once for all sessions of a user, otherwise once for each.
    func end(_ sessions: SessionSelection, at instant: Timestamp, by initiator: Signal.Initiator) throws
    /// Adds a session at its place in a status list. Returns false and changes nothing if the place is taken.
    func insert(_ session: StoredSession) throws -> Bool
    /// Gives a session a place in a status list. Returns false and changes nothing if the place is taken.
    func place(_ session: String, at place: StatusPlace) throws -> Bool
    func save(_ token: SessionToken) throws
    /// Removes the tokens of a session that are older than `generation`.
    func removeSessionTokens(of session: String, before generation: Int) throws

    func add(_ grant: ResourceGrant) throws

    func save(_ list: StoredStatusList) throws
    func add(_ decoys: [StatusDecoy], to list: String) throws
    /// Keeps every list at least for `span` after it took its last session.
    func keepStatusLists(for span: Duration) throws

    func save(_ stream: SignalStream) throws
    /// Removes a stream with what it waits for; false if there is none.
    func removeSignalStream(_ id: String) throws -> Bool
    /// Adds a signal for each stream that wants it, in this transaction.
    func add(_ signal: Signal) throws
    func add(_ signal: Signal, to stream: String) throws
    /// Keeps signals from other servers until `instant`.
    func lease(_ signals: [StoredSignal], until instant: Timestamp) throws
    /// Makes a signal due at `instant`, and saves the number of its tries.
    func postpone(_ signal: StoredSignal, until instant: Timestamp) throws
    func remove(_ signals: [StoredSignal]) throws
    /// Removes the signals that were added until `instant`.
    func removeSignals(before instant: Timestamp) throws
    /// Pauses a stream; with nil it goes on.
    func pause(_ stream: String, _ pause: SignalPause?) throws

    func save(_ thing: SingleUse) throws
    /// Adds `thing`. Returns false and changes nothing if its key is taken.
    func insert(_ thing: SingleUse) throws -> Bool
    /// Consumes a record. Of all calls for one record exactly one returns true, and none after its expiry.
    func consume(_ purpose: SingleUse.Purpose, _ key: [UInt8], at instant: Timestamp, outcome: String?) throws -> Bool

    func save(_ failures: LoginFailures) throws
    /// Removes the failures of a number on all devices.
    func removeFailures(of mobile: String) throws
    func removeFailures(of mobile: String, on device: [UInt8]) throws
    func record(_ scope: Limit.Scope, _ key: String, at instant: Timestamp) throws
    /// Removes one event of that instant.
    func removeEvent(_ scope: Limit.Scope, _ key: String, at instant: Timestamp) throws

    /// Adds audit events in this order.
    ///
    /// - Parameter server: the name of the server that they happened at.
    /// - Returns: the number of the first one.
    func add(_ events: [AuditEvent], of server: String) throws -> Int
    /// Deletes at most `limit` audit events from before `instant`.
    ///
    /// - Returns: how many.
    func removeAuditEvents(before instant: Timestamp, limit: Int) throws -> Int

    /// Increases the revision of the signing keys.
    func save(_ key: StoredSigningKey) throws
    func save(_ policy: SigningPolicy) throws

    /// Deletes the records that are no longer needed.
    func sweep(_ horizon: SweepHorizon) throws
}

/// The instants before which records are deleted.
package struct SweepHorizon: Hashable, Sendable {
    /// Events before this are outside every window.
    package var events: Timestamp
    /// Single-use records that expired before this.
    package var singleUse: Timestamp
    /// Requests for a second factor that expired before this.
    package var approvals: Timestamp
    /// Sessions that ended before this.
    package var endedSessions: Timestamp
    /// Sessions without use since this.
    package var idleSessions: Timestamp
    /// Devices without a failure or a lock since this.
    package var failures: Timestamp
    /// Status lists that expired before this. One sweep deletes at most one of them.
    package var statusLists: Timestamp
}
