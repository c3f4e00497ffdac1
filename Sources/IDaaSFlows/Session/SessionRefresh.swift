/// Replaces an id_token, once however many processes want it.
struct SessionRefresh: Sendable {
    let wire: WireClient
    let proof: SessionProof
    let store: any SessionStore

    /// - Parameter seen: the session that its caller found wanting. Where the store has another by the time it is our turn, somebody else
    ///   has refreshed, and nobody is called.
    func run(_ seen: Session) async -> SessionOutcome {
        do throws(FlowError) {
            // Before the store is ours: it is asked for the device as well.
            _ = try await wire.device.fingerprint()
            return try await store.exclusively { contents async throws(FlowError) in
                guard let stored = contents.session(of: wire.configuration) else { return .signedOut }
                if stored != seen, !stored.isDue(at: wire.serverClock.seconds) { return .active(stored) }
                let outcome = await exchange(stored)
                switch outcome {
                case .active(let session):
                    contents.session = session
                    contents.clockOffset = wire.serverClock.stored
                case .expired, .revoked: contents.session = nil
                case .offline, .signedOut, .failed: break
                }
                return outcome
            }
        } catch {
            return .failed(error)
        }
    }

    /// Asks the server, and nothing else.
    func exchange(_ session: Session) async -> SessionOutcome {
        do throws(FlowError) {
            let answer = try await proof.call(session) { [form = wire.configuration.sessionForm] fields in
                form == .sessionToken
                    ? WireCall(post: "/api/v2/sdk/sso/session-token/id-token", [:], fields)
                    : WireCall(post: "/api/v2/sdk/session-token/refresh-id-token", [:], fields)
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

    /// Only the server's own word that the session has failed ends it.
    private func outcome(of error: FlowError, _ session: Session) -> SessionOutcome {
        switch error.reason {
        case .service(let refusal) where refusal.code == .expired:
            session.isExpired(at: wire.serverClock.seconds) ? .expired(error) : .revoked(error)
        case .transport: .offline(session, error)
        default: .failed(error)
        }
    }
}
