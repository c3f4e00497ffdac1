internal import Gateway
internal import JWTCore

/// What operators see of a gateway in a host.
struct GatewayReport: Encodable {
    let isReady: Bool
    let issuers: [KeysDocument.Issuer]
    let decisions: [Decided]
    let revocations: Revoked
    /// Of the providers that have terms for them.
    let statusLists: [StatusListsDocument]
    let engine = EngineDocument()
    private let counts: [DecisionCounters.Count]
    private let statuses: [TokenStatuses]
    private let gateway: HostedGateway

    private enum CodingKeys: String, CodingKey {
        case isReady, issuers, decisions, revocations, statusLists, engine
    }

    struct Revoked: Encodable {
        let entries: Int
        let file: String?
        /// Why the file as it is now is not in force.
        let fault: String?
        let log: Followed?
    }

    struct Followed: Encodable {
        /// Those that have come and have not ended.
        let entries: Int
        let file: String
        /// Why not all that the file has now is in force.
        let fault: String?
    }

    struct Decided: Encodable {
        let policy: String?
        let outcome: String
        let code: String?
        let count: UInt64
    }

    init(_ gateway: HostedGateway) {
        let decider = gateway.decider
        self.gateway = gateway
        isReady = gateway.isReady
        issuers = KeysDocument(decider).issuers
        let file = gateway.revocations
        let log = gateway.log.map { Followed(entries: decider.revocations.signalledCount, file: $0.path, fault: $0.fault) }
        revocations = Revoked(entries: decider.revocations.list.entries.count, file: file?.path, fault: file?.fault, log: log)
        statuses = decider.statuses
        statusLists = statuses.map(StatusListsDocument.init)
        counts = decider.counters.counts
        decisions = counts.map {
            Decided(policy: $0.policy, outcome: $0.outcome.rawValue, code: $0.code, count: $0.count)
        }
    }

    /// A document with its members sorted by name.
    var json: String { (try? JSONTree(encoding: self)).map { String(decoding: $0.json, as: UTF8.self) } ?? "" }

    /// Prometheus text format 0.0.4, with the names that the service has.
    var samples: String {
        var samples = SampleText()
        samples.type("assay_gateway_ready", "gauge")
        samples.sample("assay_gateway_ready", isReady ? 1 : 0)
        samples.append(counts)
        samples.type("assay_gateway_revocations", "gauge")
        samples.sample("assay_gateway_revocations", Double(revocations.entries))
        samples.type("assay_gateway_revocations_current", "gauge")
        samples.sample("assay_gateway_revocations_current", revocations.fault == nil ? 1 : 0)
        if let log = revocations.log {
            samples.type("assay_gateway_revocation_log", "gauge")
            samples.sample("assay_gateway_revocation_log", Double(log.entries))
            samples.type("assay_gateway_revocation_log_current", "gauge")
            samples.sample("assay_gateway_revocation_log_current", log.fault == nil ? 1 : 0)
        }
        samples.append(statuses)
        gateway.appendReplays(to: &samples)
        samples.append(engine)
        for (name, value) in Self.gauges {
            samples.type("assay_jwks_\(name)", "gauge")
            for issuer in issuers { samples.sample("assay_jwks_\(name)", value(issuer), ["source": issuer.source]) }
        }
        return samples.text
    }

    private static let gauges: [(name: String, value: @Sendable (KeysDocument.Issuer) -> Double)] = [
        ("keys", { Double($0.keys.count { $0.unusable == nil }) }), ("age_seconds", { $0.age ?? 0 }),
        ("believed_seconds", { max(0, $0.believedFor ?? 0) }), ("clock_skew_seconds", { $0.clockSkew ?? 0 }),
        ("shed_probes", { Double($0.shedProbes) }), ("consecutive_failures", { Double($0.failures) }),
    ]
}
