internal import IDaaSWire
internal import JWKSCache

/// Keeps the session: returns it, renews its id_token early and once for all callers, and ends it.
///
/// Only the server's answer (`IDAAS.SDK.COMMON.1005`) or a logout ends a session. A missing answer does not.
public actor SessionKeeper {
    let wire: WireClient
    let store: any SessionStore
    private let refresh: SessionRefresh
    let states = SessionStates()
    private(set) var flight: Task<SessionOutcome, Never>?
    /// The renewed session that could not be stored.
    var unsaved: UnsavedSession?
    /// Tries to store it.
    var saving: Task<Void, Never>?
    /// Refreshes of session tokens that the program itself stores.
    private var exchanges: [String: Task<SessionOutcome, Never>] = [:]
    private var successors = Successors()
    /// Counts the starts and ends of the session: a state read before such a change is not published after it.
    private var turn = 0
    /// The failure of the last refresh, and the time until which ``current()`` returns it without a new request.
    private var hindrance: (outcome: SessionOutcome, until: Duration)?
    private static let pause: Duration = .seconds(5)

    init(_ wire: WireClient, _ store: any SessionStore) {
        self.wire = wire
        self.store = store
        refresh = SessionRefresh(wire: wire, proof: SessionProof(wire), store: store)
    }

    /// The session. If less than a minute or a tenth of its id_token's lifetime is left, the id_token is replaced first. If the server
    /// cannot be reached, the outcome is the stored session as `offline`.
    public func current() async -> SessionOutcome {
        do throws(FlowError) {
            let turn = turn
            guard let session = try await kept() else { return noted(.signedOut, turn) }
            let now = wire.serverClock.seconds
            guard session.needsRenewal(at: now) else { return noted(await saved(session), turn) }
            let outcome = if let known = hindered(session) { known } else { await renewed(session) }
            // A failed refresh does not matter while the token is valid.
            if case .failed = outcome, !session.isIDTokenExpired(at: now), !Task.isCancelled { return await saved(session) }
            return outcome
        } catch {
            return .failed(error)
        }
    }

    /// Replaces the id_token now. Concurrent callers share one refresh. A cancelled caller does not stop it.
    public func renew() async -> SessionOutcome {
        do throws(FlowError) {
            let turn = turn
            guard let session = try await kept() else { return noted(.signedOut, turn) }
            return await renewed(session)
        } catch {
            return .failed(error)
        }
    }

    /// The session's state, now and after each change.
    public func stateChanges() async -> AsyncStream<SessionState> {
        if [nil, .active].contains(states.state) { await becomeAsStored() }
        return states.stream()
    }

    /// The stored session, even an expired one. No request is made.
    public func stored() async throws(FlowError) -> Session? { try await kept() }

    /// Refreshes a session token that the program itself stores. A token that was replaced here means its replacement, because the server
    /// treats a replaced token as stolen and ends the session. Concurrent callers share one refresh. The store changes only for its own
    /// session.
    public func renew(sessionToken: String) async -> SessionOutcome {
        do throws(FlowError) {
            let known = successors.newest(of: sessionToken)
            let kept = try await kept()?.sessionToken
            let newest = successors.newest(of: sessionToken)
            if let kept, kept == newest?.sessionToken || kept == sessionToken { return await renew() }
            // Another caller refreshed while the store was read.
            if let newest, newest != known { return .active(newest) }
            return await Abandonable.value(of: exchange(newest?.sessionToken ?? sessionToken)) ?? .failed(FlowError(.cancelled))
        } catch {
            return .failed(error)
        }
    }

    private func exchange(_ sessionToken: String) -> Task<SessionOutcome, Never> {
        if let task = exchanges[sessionToken] { return task }
        let task = Task {
            let outcome = await refresh.exchange(Session(sessionToken: sessionToken, wire.configuration))
            exchanges[sessionToken] = nil
            if let session = outcome.session { successors.note(sessionToken, session) }
            return outcome
        }
        exchanges[sessionToken] = task
        return task
    }

    /// Ends the session at the server and here.
    ///
    /// - Parameter everywhere: ends every session of the user. If the server cannot be reached, nothing ends then and the call can be
    ///   repeated. Without it, the session then ends only here.
    public func logOut(everywhere: Bool = false) async -> LogoutOutcome {
        do throws(FlowError) {
            // Before locking the store: reading the device's identity locks it too.
            _ = try await wire.device.fingerprint()
            let outcome = try await store.exclusively { [refresh, wire, unsaved] contents async throws(FlowError) in
                let stored = contents.session(of: wire.configuration)
                guard let session = unsaved.map({ $0.newest(stored) }) ?? stored else { return LogoutOutcome.loggedOut }
                let outcome = try await refresh.end(session, everywhere: everywhere)
                if case .failed = outcome { return outcome }
                contents.session = nil
                return outcome
            }
            if case .failed = outcome { return outcome }
            unsaved = nil
            turn += 1
            states.become(.signedOut)
            return outcome
        } catch {
            return .failed(error)
        }
    }

    /// Starts the session of a login's answer.
    func begin(with answer: WireAnswer) async throws(FlowError) -> LoginOutcome {
        let reply = try answer.object()
        let status = reply.loginStatus
        guard status == LoginStatus.success else { return .other(status: status, stateToken: reply[WireMember.stateToken]?.filled) }
        guard let session = Session(reply, wire.configuration, now: wire.serverClock.seconds) else { throw answer.unexpected }
        let device = try await wire.device.fingerprint()
        try await store.exclusively { [wire] contents in
            contents.session = session
            contents.device = contents.device ?? device
            contents.clockOffset = wire.serverClock.stored
        }
        unsaved = nil
        turn += 1
        hindrance = nil
        wire.configuration.log.write("logged in: \(session)")
        states.become(.active)
        return .loggedIn(session)
    }

    func call(_ call: WireCall) async throws(FlowError) -> WireAnswer { try await wire.call(call) }

    /// One refresh for all callers.
    private func renewed(_ session: Session) async -> SessionOutcome {
        let task: Task<SessionOutcome, Never>
        if let flight {
            task = flight
        } else {
            states.become(.renewing)
            task = Task { await self.land(await refresh.run(session, unsaved), session) }
            flight = task
        }
        return await Abandonable.value(of: task) ?? .failed(FlowError(.cancelled))
    }

    /// The recent failure of this session's refresh. An offline program does not wait for a failure again and again.
    private func hindered(_ session: Session) -> SessionOutcome? {
        guard let hindrance, wire.clock.elapsed < hindrance.until else { return nil }
        switch hindrance.outcome {
        case .offline(session, _), .failed: return hindrance.outcome
        default: return nil
        }
    }

    private func land(_ result: (outcome: SessionOutcome, unsaved: UnsavedSession?), _ seen: Session) async -> SessionOutcome {
        let outcome = result.outcome
        flight = nil
        unsaved = result.unsaved
        if unsaved != nil { saveLater() }
        turn += 1
        if let session = outcome.session { successors.note(seen.sessionToken, session) }
        let pause = max(Self.pause, outcome.failure?.retryAfter ?? .zero)
        hindrance = outcome.failure == nil ? nil : (outcome, wire.clock.elapsed + pause)
        if let state = outcome.state { states.become(state) } else { await becomeAsStored() }
        return outcome
    }

    private func noted(_ outcome: SessionOutcome, _ turn: Int) -> SessionOutcome {
        if flight == nil, turn == self.turn, let state = outcome.state { states.become(state) }
        return outcome
    }

    /// Publishes the stored session's state. An unreadable store changes nothing.
    private func becomeAsStored() async {
        do throws(FlowError) {
            let turn = turn
            let session = try await kept()
            guard turn == self.turn else { return }
            states.become(session.map { $0.isExpired(at: wire.serverClock.seconds) ? .expired : .active } ?? .signedOut)
        } catch {
            wire.configuration.log.write("the store cannot be read: \(error)")
        }
    }

    /// The newest session: the stored one, or the one that could not be stored.
    private func kept() async throws(FlowError) -> Session? {
        let turn = turn
        do throws(FlowError) {
            let contents = try await store.contents()
            if wire.serverClock.stored == nil { wire.serverClock.remember(contents.clockOffset) }
            let stored = contents.session(of: wire.configuration)
            // A login or another process stored a newer session.
            if flight == nil, turn == self.turn, let unsaved, stored != unsaved.replaced { self.unsaved = nil }
            return unsaved?.session ?? stored
        } catch {
            guard let unsaved else { throw error }
            return unsaved.session
        }
    }

    /// The outcome for a session that needs no renewal. If it is unsaved, storing is tried now.
    private func saved(_ session: Session) async -> SessionOutcome {
        await save()
        guard let unsaved, unsaved.session == session else { return .active(session) }
        return .unsaved(session, unsaved.error)
    }
}
