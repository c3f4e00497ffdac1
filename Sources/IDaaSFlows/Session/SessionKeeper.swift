internal import JWKSCache

/// Keeps the session: hands it out, renews its id_token early and once for everybody, and ends it.
///
/// What is not an answer never ends a session: only the server's word does (`IDAAS.SDK.COMMON.1005`), or a logout.
public actor SessionKeeper {
    private let wire: WireClient
    private let store: any SessionStore
    private let refresh: SessionRefresh
    private let states = SessionStates()
    private var flight: Task<SessionOutcome, Never>?
    /// Refreshes of tokens that the program keeps itself.
    private var exchanges: [String: Task<SessionOutcome, Never>] = [:]
    private var successors = Successors()
    /// Counts what ended or began: what was read before is not told after it.
    private var turn = 0
    /// What the last refresh brought nothing for, and how long nobody is sent after it again who merely wants the session.
    private var hindrance: (outcome: SessionOutcome, until: Duration)?
    private static let pause: Duration = .seconds(5)

    init(_ wire: WireClient, _ store: any SessionStore) {
        self.wire = wire
        self.store = store
        refresh = SessionRefresh(wire: wire, proof: SessionProof(wire), store: store)
    }

    /// The session, its id_token replaced first where less than a minute or a tenth of its life is left. Where the server cannot be
    /// reached, the one at hand, marked so.
    public func current() async -> SessionOutcome {
        do throws(FlowError) {
            let turn = turn
            guard let session = try await kept() else { return noted(.signedOut, turn) }
            let now = wire.serverClock.seconds
            guard session.isDue(at: now) else { return noted(.active(session), turn) }
            let outcome = if let known = hindered(session) { known } else { await renewed(session) }
            // What hinders the server hinders nobody whose token is good.
            if case .failed = outcome, !session.isIDTokenExpired(at: now), !Task.isCancelled { return .active(session) }
            return outcome
        } catch {
            return .failed(error)
        }
    }

    /// Replaces the id_token now. Everybody who asks meanwhile gets the same answer; whoever is cancelled leaves, and the others get it.
    public func renew() async -> SessionOutcome {
        do throws(FlowError) {
            let turn = turn
            guard let session = try await kept() else { return noted(.signedOut, turn) }
            return await renewed(session)
        } catch {
            return .failed(error)
        }
    }

    /// The session's state now and whenever it changes.
    public func stateChanges() async -> AsyncStream<SessionState> {
        if [nil, .active].contains(states.state) { await becomeAsStored() }
        return states.stream()
    }

    /// The session as it is stored, whatever its age; nobody is asked.
    public func stored() async throws(FlowError) -> Session? { try await kept() }

    /// Refreshes by a token that the program keeps itself, or has a copy of. One that was replaced here stands for what replaced it: to send
    /// it again would end the session as stolen. Everybody who asks at once gets the same answer. The store is touched for its own alone.
    public func renew(sessionToken: String) async -> SessionOutcome {
        do throws(FlowError) {
            let known = successors.newest(of: sessionToken)
            let kept = try await kept()?.sessionToken
            let newest = successors.newest(of: sessionToken)
            if let kept, kept == newest?.sessionToken || kept == sessionToken { return await renew() }
            // Somebody else was faster, while the store was looked into.
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
    /// - Parameter everywhere: every session of the user. Where the server cannot be told, nothing is ended then, so that it can be tried
    ///   again; otherwise the session ends here alone.
    public func logOut(everywhere: Bool = false) async -> LogoutOutcome {
        do throws(FlowError) {
            // Before the store is ours: it is asked for the device as well.
            _ = try await wire.device.fingerprint()
            let outcome = try await store.exclusively { [refresh, wire] contents async throws(FlowError) in
                guard let session = contents.session(of: wire.configuration) else { return LogoutOutcome.loggedOut }
                let outcome = try await refresh.end(session, everywhere: everywhere)
                if case .failed = outcome { return outcome }
                contents.session = nil
                return outcome
            }
            if case .failed = outcome { return outcome }
            turn += 1
            states.become(.signedOut)
            return outcome
        } catch {
            return .failed(error)
        }
    }

    /// Takes over what a login was answered.
    func begin(with answer: WireAnswer) async throws(FlowError) -> LoginOutcome {
        let reply = try answer.object()
        // " SOCIAL_BIND": tenants send spaces.
        let status = reply["status"]?.text?.filter { !$0.isWhitespace } ?? "SUCCESS"
        guard status == "SUCCESS" else { return .other(status: status, stateToken: reply["state_token"]?.filled) }
        guard let session = Session(reply, wire.configuration, now: wire.serverClock.seconds) else { throw answer.unexpected }
        let device = try await wire.device.fingerprint()
        try await store.exclusively { [wire] contents in
            contents.session = session
            contents.device = contents.device ?? device
            contents.clockOffset = wire.serverClock.stored
        }
        turn += 1
        hindrance = nil
        wire.configuration.log.write("logged in: \(session)")
        states.become(.active)
        return .loggedIn(session)
    }

    func call(_ call: WireCall) async throws(FlowError) -> WireAnswer { try await wire.call(call) }

    /// One refresh for all who want one.
    private func renewed(_ session: Session) async -> SessionOutcome {
        let task: Task<SessionOutcome, Never>
        if let flight {
            task = flight
        } else {
            states.become(.renewing)
            task = Task { await self.land(await refresh.run(session), session) }
            flight = task
        }
        return await Abandonable.value(of: task) ?? .failed(FlowError(.cancelled))
    }

    /// What hindered the refresh of this session a moment ago: whoever is offline should not wait for it again and again.
    private func hindered(_ session: Session) -> SessionOutcome? {
        guard let hindrance, wire.clock.elapsed < hindrance.until else { return nil }
        switch hindrance.outcome {
        case .offline(session, _), .failed: return hindrance.outcome
        default: return nil
        }
    }

    private func land(_ outcome: SessionOutcome, _ seen: Session) async -> SessionOutcome {
        flight = nil
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

    /// Takes over the stored session's state. A store that cannot be read says nothing about it.
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

    private func kept() async throws(FlowError) -> Session? {
        let contents = try await store.contents()
        if wire.serverClock.stored == nil { wire.serverClock.remember(contents.clockOffset) }
        return contents.session(of: wire.configuration)
    }
}
