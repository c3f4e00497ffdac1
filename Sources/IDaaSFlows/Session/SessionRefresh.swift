internal import IDaaSWire
internal import JWTCore
internal import Locks

/// Replaces an id_token, once for all processes.
struct SessionRefresh: Sendable {
    let wire: WireClient
    let proof: SessionProof
    let store: any SessionStore

    /// - Parameters:
    ///   - seen: the session to refresh. If the store has another one once this process has the lock, another process has refreshed and no
    ///     request is made.
    ///   - unsaved: the session that could not be stored before.
    /// - Returns: the outcome, and the renewed session if it could not be stored.
    func run(_ seen: Session, _ unsaved: UnsavedSession?) async -> (outcome: SessionOutcome, unsaved: UnsavedSession?) {
        let renewal = Locked((replaced: Session, session: Session)?.none)
        do throws(FlowError) {
            // Before locking the store: reading the device's identity locks it too.
            _ = try await wire.device.fingerprint()
            let outcome = try await store.exclusively { contents async throws(FlowError) -> SessionOutcome in
                guard let stored = contents.session(of: wire.configuration) else { return .signedOut }
                let newest = unsaved?.newest(stored) ?? stored
                if newest != seen, !newest.needsRenewal(at: wire.serverClock.seconds) { return .active(newest) }
                let outcome = await exchange(newest)
                switch outcome {
                case .active(let session):
                    renewal.withLock { $0 = (stored, session) }
                    contents.session = session
                    contents.clockOffset = wire.serverClock.stored
                case .expired, .revoked: contents.session = nil
                case .unsaved, .offline, .signedOut, .failed: break
                }
                return outcome
            }
            return (outcome, nil)
        } catch {
            guard let (replaced, session) = renewal.withLock({ $0 }) else { return (.failed(error), unsaved) }
            return (.unsaved(session, error), UnsavedSession(replaced: replaced, session: session, error: error))
        }
    }

    /// Sends the refresh. It does not touch the store.
    func exchange(_ session: Session) async -> SessionOutcome {
        do throws(FlowError) {
            let answer = try await proof.call(session) { [form = wire.configuration.sessionForm] fields in
                form == .sessionToken
                    ? WireCall(post: WirePath.refresh, [:], fields)
                    : WireCall(post: WirePath.signedRefresh, [:], fields)
            }
            let now = wire.serverClock.seconds
            guard let renewed = Session(try answer.object(), wire.configuration, renewing: session, now: now) else {
                throw answer.unexpected
            }
            wire.configuration.log.write("refreshed: \(renewed)")
            return .active(renewed)
        } catch {
            return outcome(of: error, session)
        }
    }

    /// Only the server's answer that the session has expired ends it.
    private func outcome(of error: FlowError, _ session: Session) -> SessionOutcome {
        switch error.reason {
        case .service(let refusal) where refusal.code == .expired:
            session.isExpired(at: wire.serverClock.seconds) ? .expired(error) : .revoked(error)
        case .transport: .offline(session, error)
        default: .failed(error)
        }
    }
}
