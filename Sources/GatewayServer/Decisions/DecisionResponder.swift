#if Gateway
internal import Gateway
internal import HTTPEdge
internal import JWKSCache
internal import JWTCore

/// Answers a gateway's questions on one listener: every method and every path is a request to decide. The body decides nothing.
struct DecisionResponder: Sendable {
    let profile: GatewayProfile
    let gateway: LiveGateway
    let counts: ListenerCounts
    let files: GatewayFileVersions
    let log: AccessLog
    let clock: any ElapsedClock

    func respond(_ request: ImmediateRequest, _ fault: RequestFault?) -> ImmediateResponse {
        let started = clock.elapsedNanoseconds
        let inForce = gateway.inForce
        if let fault {
            return .answer(refuse(Denial(policy: nil, reason: .malformedRequest, status: fault.status), since: started, inForce))
        }
        do throws(Denial) {
            let question = ProfileRequest(request)
            var facts = try profile.facts(from: question)
            if inForce.configuration.log.logsClients {
                facts.client = profile.client(of: question, in: inForce.configuration.log.clientHeader)
            }
            let handled = try profile.handledFields(question)
            if !profile.setsCertificate(handled) { facts.certificate = nil }
            let idle = try handled.map { handled throws(Denial) in try files.check(handled, inForce) } ?? []
            switch inForce.core.begin(facts) {
            case .decided(let decision): return .answer(answer(facts, decision, idle, since: started, inForce))
            case .waiting(let pending):
                return .waiting { [facts] in answer(facts, await inForce.core.decide(pending), idle, since: started, inForce) }
            }
        } catch {
            return .answer(refuse(error, since: started, inForce))
        }
    }

    /// Counts and logs a message that the connection has refused with `status`, because it has no head that can be read.
    func refused(_ status: Int) {
        let denial = Denial(policy: nil, reason: .malformedRequest, status: status), decision = Decision.denied(denial)
        counts.refuseMessage(denial)
        counts.answered(status, after: nil)
        guard decision.hasLine(gateway.inForce.configuration.log.access) else { return }
        log.record(AnsweredRequest(facts: nil, decision: decision, answer: ProfileReply(status: status, fields: [])), took: nil)
    }

    /// Refuses a message that is not the gateway's. The core has not seen it, and does not count it.
    private func refuse(_ denial: Denial, since started: Int64, _ inForce: ActiveConfiguration) -> ImmediateAnswer {
        counts.refuseMessage(denial)
        return answer(nil, .denied(denial), [], since: started, inForce)
    }

    private func answer(
        _ facts: RequestFacts?, _ decision: Decision, _ idle: [String], since started: Int64, _ inForce: ActiveConfiguration
    ) -> ImmediateAnswer {
        let reply = profile.reply(to: decision, idle: idle)
        let time = Duration.nanoseconds(clock.elapsedNanoseconds - started)
        counts.answered(reply.status, after: time)
        guard decision.hasLine(inForce.configuration.log.access) else { return ImmediateAnswer(reply) }
        let requestID = inForce.configuration.log.requestID(of: facts)
        let answered = AnsweredRequest(facts: facts, decision: decision, answer: reply, requestID: requestID)
        return ImmediateAnswer(reply) { [log] in log.record(answered, took: time) }
    }
}

/// A request with its decision and the answer for the gateway.
struct AnsweredRequest: Sendable {
    /// Nil if the gateway's message could not be read.
    var facts: RequestFacts?
    let decision: Decision
    let answer: ProfileReply
    /// The client's or the gateway's name of the request, if the log has it.
    var requestID: String?
}
#endif
