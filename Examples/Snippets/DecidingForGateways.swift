// The snippets of Gateway's documentation, which quotes them line by line.

import Gateway
import JWKSCache

func decide(_ configuration: GatewayConfiguration, transport: any DocumentTransport, fields: [Field]) async throws -> Decision {
    let core = try DecisionCore(configuration, transport: transport)
    let decision = await core.decide(RequestFacts(method: "GET", host: "api.example", target: "/orders", fields: fields))
    return decision
}
