#if Gateway
internal import Gateway
internal import HTTPEdge
internal import JWKSCache
internal import JWTCore

/// Answers Envoy's calls on one gRPC listener, with the counts and the log of the other listeners.
struct ExternalAuthorizationListener: Sendable {
    let gateway: LiveGateway
    let counts: ListenerCounts
    let log: AccessLog
    let clock: any ElapsedClock

    func channel(_ connections: ConnectionLimits) -> AuthorizationChannel {
        var limits = AuthorizationLimits()
        limits.openingTimeout = connections.headTimeout
        limits.idleTimeout = connections.idleTimeout
        limits.drainTimeout = connections.drainTimeout
        // The peer is the gateway, which connects for all its clients.
        return AuthorizationChannel(
            service: service, limits: limits, addresses: AddressCounts(limit: connections.maximumPerAddress) { _ in true },
            refused: { refusedConnection($0) })
    }

    private var service: AuthorizationService {
        var service = AuthorizationService(decide: { await decide($0) }, refused: { refused($0) }, isReady: { gateway.isReady })
        service.readsClient = { gateway.logsClients }
        return service
    }

    private func decide(_ facts: RequestFacts) async -> Decision {
        let started = clock.elapsedNanoseconds
        let inForce = gateway.inForce
        let decision = await inForce.core.decide(facts)
        answered(facts, decision, after: .nanoseconds(clock.elapsedNanoseconds - started), inForce)
        return decision
    }

    /// The core has not seen it, and does not count it.
    private func refused(_ denial: Denial) {
        counts.refuseMessage(denial)
        answered(nil, .denied(denial), after: nil, gateway.inForce)
    }

    /// Counts and logs a connection that is closed without an answer. `status` is that of an answer over HTTP/1.1.
    private func refusedConnection(_ status: Int) {
        let denial = Denial(policy: nil, reason: .malformedRequest, status: status)
        counts.refuseMessage(denial)
        record(nil, .denied(denial), status, after: nil, gateway.inForce)
    }

    private func answered(_ facts: RequestFacts?, _ decision: Decision, after time: Duration?, _ inForce: ActiveConfiguration) {
        let status = if case .denied(let denial) = decision { denial.status } else { 200 }
        counts.answered(status, after: time)
        record(facts, decision, status, after: time, inForce)
    }

    private func record(
        _ facts: RequestFacts?, _ decision: Decision, _ status: Int, after time: Duration?, _ inForce: ActiveConfiguration
    ) {
        guard decision.hasLine(inForce.configuration.log.access) else { return }
        let answer = ProfileReply(status: status, fields: []), requestID = inForce.configuration.log.requestID(of: facts)
        var answered = AnsweredRequest(facts: facts, decision: decision, answer: answer, requestID: requestID)
        if inForce.configuration.log.logsClients, let field = inForce.configuration.log.clientHeader {
            answered.facts?.client = facts?.fields.lastAddress(in: field)
        }
        log.record(answered, took: time)
    }
}
#endif
