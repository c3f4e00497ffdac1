#if Gateway
internal import Gateway
internal import HTTPEdge
internal import HTTPTypes
internal import HummingbirdCore
internal import JWKSCache
internal import JWTCore
internal import NIOCore

/// Answers a gateway's questions on one listener: every method and every path is a request to decide.
struct DecisionResponder: Sendable {
    let profile: GatewayProfile
    let gateway: LiveGateway
    let counts: ListenerCounts
    let log: AccessLog
    let clock: any ElapsedClock

    func respond(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        let started = clock.elapsedNanoseconds
        let inForce = gateway.inForce
        let answered = await answer(request, inForce)
        let time = Duration.nanoseconds(clock.elapsedNanoseconds - started)
        counts.answered(answered.answer.status, after: time)
        // The gateway does not wait for the log.
        defer { log.record(answered, took: time, inForce.configuration.log.access) }
        try await writer.write(response: answered.answer.head, body: ResponseBody())
    }

    private func answer(_ request: Request, _ inForce: InForce) async -> AnsweredRequest {
        do {
            // The body decides nothing. Reading it keeps the connection usable for the next request.
            for try await _ in request.body {}
        } catch {
            return refuse(Denial(policy: nil, reason: .malformedRequest, status: (error as? RequestFault)?.status ?? 400))
        }
        do throws(Denial) {
            let facts = try profile.facts(from: ProfileRequest(request.head))
            let decision = await inForce.core.decide(facts)
            return AnsweredRequest(facts: facts, decision: decision, answer: profile.reply(to: decision))
        } catch {
            return refuse(error)
        }
    }

    /// Refuses a message that is not the gateway's. The core has not seen it, and does not count it.
    private func refuse(_ denial: Denial) -> AnsweredRequest {
        counts.refuseMessage(denial)
        return AnsweredRequest(facts: nil, decision: .denied(denial), answer: profile.reply(to: .denied(denial)))
    }
}

/// A request with its decision and the answer for the gateway.
struct AnsweredRequest: Sendable {
    /// Nil if the gateway's message could not be read.
    let facts: RequestFacts?
    let decision: Decision
    let answer: ProfileReply
}

extension ProfileRequest {
    /// The gateway's own request. Fields that are called `Host` stay: the profile refuses one that contradicts.
    init(_ head: HTTPRequest) {
        self.init(
            method: head.method.rawValue, host: head.authority ?? "", target: head.path ?? "",
            fields: head.headerFields.map { Field($0.name.canonicalName, $0.value) })
    }
}

extension ProfileReply {
    /// Never a redirect, and never a body.
    var head: HTTPResponse {
        var fields = HTTPFields()
        for field in self.fields {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        fields[.contentLength] = "0"
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }
}
#endif
