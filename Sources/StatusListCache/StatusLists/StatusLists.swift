public import JWKSCache
public import JWTCore
internal import Locks

/// Status lists of trusted issuers (draft-ietf-oauth-status-list-20), fetched when a token first names them, and kept fresh.
///
/// A look-up never waits, locks or allocates while there is a list; a refresh replaces the list. One background task makes the fetches:
/// never more than one of a list at a time, and tokens cause at most `fetchesPerSecond` of an issuer. Lists come only from origins that the
/// issuer's configuration names; an address in a token is never enough.
///
/// ```swift
/// let issuer = try StatusListIssuer("https://idp.example", origins: ["https://status.example"], keys: keys)
/// let lists = StatusLists([issuer], transport: try GuardedClient())
/// let verdict = lists.verdict(of: reference, issuer: "https://idp.example")
/// guard verdict.isAdmitted else { return refuse(verdict.finding.code) }
/// ```
public final class StatusLists: Sendable {
    public let policy: StatusListPolicy
    public let limits: StatusListLimits
    let clock: any ElapsedClock
    let reader: ListReader
    let shared: Locked<Shared>
    let shelves: ListShelves

    /// The mutable state, protected by the lock.
    struct Shared {
        var core: ListsCore
        var waiters: [ListKey: Waiters] = [:]
        var attempts: [ListKey: Attempt] = [:]
        var refresher: Refresher?
        private var lastWaiter: UInt64 = 0

        init(core: ListsCore) { self.core = core }

        /// A number that no other waiter has, of whatever list.
        mutating func reserveWaiter() -> UInt64 {
            lastWaiter += 1
            return lastWaiter
        }
    }

    /// The task of the fetch with this number.
    struct Attempt {
        let sequence: UInt64
        let task: Task<Void, Never>
    }

    /// The background task with its own sleep.
    struct Refresher {
        let task: Task<Void, Never>
        let sleep: ShortenedSleep
    }

    /// - Parameters:
    ///   - issuers: the closed map. Of two with one name the first counts.
    ///   - policy: when lists are fetched, and what becomes of tokens without one.
    ///   - limits: upper limits of lists, bytes and fetches.
    ///   - transport: makes the requests. It enforces the rules for https, addresses, time-outs and sizes.
    ///   - clock: measures the age of lists; its date judges them.
    ///   - seed: for the jitter; different for every instance.
    public init(
        _ issuers: [StatusListIssuer], policy: StatusListPolicy = .closedFirst, limits: StatusListLimits = StatusListLimits(),
        transport: any DocumentTransport, clock: any ElapsedClock = SystemElapsedClock(), seed: UInt64 = .random(in: 0 ... .max)
    ) {
        self.policy = policy
        self.limits = limits
        self.clock = clock
        reader = ListReader(issuers: issuers, transport: transport, clock: clock)
        shelves = ListShelves(issuers)
        shared = Locked(Shared(core: ListsCore(issuers, policy: policy, limits: limits, seed: seed)))
    }

    deinit {
        shared.withLock {
            $0.refresher?.task.cancel()
            for attempt in $0.attempts.values { attempt.task.cancel() }
        }
    }

    // Reading

    /// What the list says of the token with this reference. Never waits. Without a list it causes a fetch, if the limits permit.
    ///
    /// - Parameters:
    ///   - reference: of a verified token: `Claims.status`.
    ///   - issuer: `iss` of the same token.
    ///   - now: `elapsedNanoseconds` of the cache's clock, from a caller who has just read it; nil reads the clock, which is about half of the
    ///     time that a look-up takes.
    public func verdict(of reference: borrowing StatusReference, issuer: borrowing JSONString, at now: Int64? = nil) -> StatusVerdict {
        verdict(index: reference.index, uri: reference.uri, issuer: issuer, at: now)
    }

    /// The same for an issuer in a `String`.
    public func verdict(of reference: borrowing StatusReference, issuer: String) -> StatusVerdict {
        verdict(index: reference.index, uri: reference.uri, issuer: JSONString(issuer.utf8.span, isEscaped: false))
    }

    /// The same for copies of a verified token's `idx`, `uri` and `iss`.
    public func verdict(index: Int, uri: String, issuer: String) -> StatusVerdict {
        let uri = JSONString(uri.utf8.span, isEscaped: false)
        return verdict(index: index, uri: uri, issuer: JSONString(issuer.utf8.span, isEscaped: false))
    }

    private func verdict(index: Int, uri: JSONString, issuer: borrowing JSONString, at moment: Int64? = nil) -> StatusVerdict {
        let place = shelves.place(of: issuer)
        guard place >= 0 else { return StatusVerdict(.forbiddenList) }
        let now = moment ?? clock.elapsedNanoseconds
        if let finding = shelves.finding(place, uri, index, at: now) { return StatusVerdict(finding) }
        return ask(ListKey(issuer: place, uri: uri.utf8), index: index)
    }

    // Status

    /// The status of every list, and of every address from which none came.
    public var statuses: [StatusListStatus] {
        let now = clock.elapsed
        return shared.withLock { $0.core.statuses(now: now) }
    }

    /// Forgets the list at `uri`, and what the next one is compared with: for an issuer that starts a list anew with fewer statuses or another
    /// size.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func forget(_ uri: String, of issuer: String) -> Bool {
        guard let place = shelves.place(of: issuer) else { return false }
        return transact { shared, _ in (shared.core.forget(place, Array(uri.utf8)), []) }
    }
}

extension StatusLists: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of issuers. No address and no key is in it.
    public var description: String { "StatusLists(\(shelves.count) issuers)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
