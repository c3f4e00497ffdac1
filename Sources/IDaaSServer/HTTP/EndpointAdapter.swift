internal import HTTPTypes
internal import Hummingbird
internal import IDaaSWire
internal import NIOCore

/// Adds endpoints to Hummingbird's router: receives their bodies, and writes their audit trail.
struct EndpointAdapter: Sendable {
    let audit: any AuditSink
    let metrics: RequestMetrics
    let clock: any ServerClock

    func add(_ endpoints: [Endpoint], to router: Router<FramedContext>) {
        for endpoint in endpoints {
            for method in endpoint.methods {
                router.on(RouterPath(endpoint.path), method: method) { request, context in
                    Response(try await self.answer(endpoint, request, context))
                }
            }
        }
    }

    private func answer(_ endpoint: Endpoint, _ request: Request, _ context: FramedContext) async throws -> Reply {
        let exchange = try await Self.exchange(request, context, of: endpoint)
        do {
            let reply = try await endpoint.answer(exchange)
            await record(endpoint.action, outcome: "ok", exchange)
            return reply
        } catch {
            let refusal = error as? ServiceError ?? (error as? RequestRefusal)?.error
            await record(endpoint.action, outcome: (refusal?.code ?? .systemBusy).rawValue, exchange)
            throw error
        }
    }

    private func record(_ action: AuditAction?, outcome: String, _ exchange: Exchange) async {
        guard let action = exchange.trail.notes.action ?? action else { return }
        metrics.record(action, outcome: outcome)
        await audit.record(event(action, outcome: outcome, exchange))
        guard let revocation = exchange.trail.notes.revocation else { return }
        metrics.record(.sessionRevoked, outcome: revocation.rawValue)
        await audit.record(event(.sessionRevoked, outcome: "ok", reason: revocation, exchange))
    }

    private func event(
        _ action: AuditAction, outcome: String, reason: SessionRevocation? = nil, _ exchange: Exchange
    ) -> AuditEvent {
        let notes = exchange.trail.notes
        return AuditEvent(
            time: clock.now, action: action, outcome: outcome, requestID: exchange.origin.requestID, client: notes.client,
            subject: notes.subject, userID: notes.userID, sessionID: notes.sessionID, address: exchange.origin.address,
            reason: reason?.rawValue, bearerSessionID: notes.bearerSessionID)
    }

    private static func exchange(_ request: Request, _ context: FramedContext, of endpoint: Endpoint) async throws -> Exchange {
        let body = try await body(of: request, to: endpoint)
        return try Exchange(
            fields: request.headers, host: request.head.authority, query: request.uri.query ?? "",
            parameters: parameters(of: context), body: body, origin: context.origin)
    }

    /// ``ConnectionLimits`` bound the body. An endpoint that is not listed answers a refused body like an unknown path.
    private static func body(of request: Request, to endpoint: Endpoint) async throws -> [UInt8] {
        guard endpoint.method != .get else { return [] }
        do {
            return Array(try await request.body.collect(upTo: .max).readableBytesView)
        } catch {
            guard endpoint.isListed else { throw RequestRefusal.notFound }
            throw error
        }
    }

    private static func parameters(of context: FramedContext) -> [String: String] {
        Dictionary(context.parameters.map { (String($0.key), String($0.value)) }) { first, _ in first }
    }
}
