import JWKSCache
import JWTCore

/// A key cache under a virtual clock, and the issuer that a scenario describes. It drives the same state machines as `RemoteKeySet`:
/// `KeySetCore` and `IssuerFetch`.
struct CacheScenarioRun {
    private let scenario: CacheScenario
    private let documents: [String: String]
    private var core: KeySetCore
    private var metadata: IssuerFetch.Metadata?
    private var answers: [String: CacheScenario.Answer] = [:]
    private var now: Duration = .zero
    private var fetches = 0
    private var requests = 0
    /// The end of the fetch under way.
    private var arrival: Arrival?

    private struct Arrival {
        let at: Duration
        let order: FetchOrder
        let result: FetchResult
        let metadata: IssuerFetch.Metadata?
    }

    /// The wall clock at the start: Tue, 14 Nov 2023 22:13:20 GMT.
    private static let start: Int64 = 1_700_000_000

    init(_ scenario: CacheScenario, documents: [String: String]) {
        self.scenario = scenario
        self.documents = documents
        core = KeySetCore(policy: scenario.policy.refreshPolicy, seed: 1, now: .zero)
    }

    /// The first difference from what the scenario expects; nil if every step agrees.
    mutating func difference() -> String? {
        for step in scenario.steps {
            let moment = Duration.seconds(step.at)
            // An answer that is served from a moment on is the answer to a fetch at that moment.
            advance(to: moment, isIncluded: step.serve == nil)
            if let serve = step.serve { answers.merge(serve) { _, new in new } }
            if step.refresh == true { begin(core.requested(now: now)) }
            let answer = step.ask.map { ask($0) }
            if step.serve == nil { advance(to: moment, isIncluded: true) }
            if let difference = step.expect.flatMap({ difference(from: $0, answer, step) }) { return "at \(step.at) s: \(difference)" }
        }
        return nil
    }

    // Time

    /// Does everything that is due before `limit`, or also at it.
    private mutating func advance(to limit: Duration, isIncluded: Bool) {
        while true {
            let next = min(arrival?.at ?? core.state.nextTick, core.state.nextTick)
            guard next < limit || isIncluded && next == limit else { break }
            now = max(now, next)
            if let arrival, arrival.at <= now {
                finish(arrival)
            } else {
                begin(core.tick(now: now))
            }
        }
        now = max(now, limit)
    }

    // Fetches

    private mutating func begin(_ order: FetchOrder?) {
        guard let order else { return }
        fetches += 1
        var latency: Duration = .zero
        let (result, metadata) = fetch(order, &latency)
        // A fetch beyond its limit is cancelled; its answer never arrives.
        let isInTime = latency < core.policy.attemptLimit
        arrival = isInTime ? Arrival(at: now + latency, order: order, result: result, metadata: metadata) : nil
    }

    private mutating func fetch(_ order: FetchOrder, _ latency: inout Duration) -> (FetchResult, IssuerFetch.Metadata?) {
        let situation = core.situation(of: order)
        guard let issuer = scenario.source.issuer else {
            let url = scenario.source.jwks ?? ""
            let origin = FetchResult.Origin(sourceIndex: 0, format: .jwks, url: url)
            let request = situation.request(for: url, origin)
            return (situation.result(of: respond(to: request, &latency), to: request, origin), nil)
        }
        var fetch = IssuerFetch(issuer: issuer, sourceIndex: 0, situation, metadata: metadata)
        var step = fetch.begin()
        while true {
            switch step {
            case .request(let request): step = fetch.receive(respond(to: request, &latency))
            case .done(let result): return (result, fetch.metadata)
            }
        }
    }

    /// The issuer's response. It sends 304 for a copy with the entity tag that it would send.
    private mutating func respond(
        to request: OutgoingRequest, _ latency: inout Duration
    ) -> Swift.Result<ReceivedResponse, RequestFailure> {
        requests += 1
        guard let answer = answers[request.url] else { return .success(ReceivedResponse(status: 404)) }
        latency += .seconds(answer.after ?? 0)
        if let failure = answer.failure { return .failure(RequestFailure(RequestFailure.Reason(rawValue: failure) ?? .connection)) }
        let fields = (answer.fields ?? []).map { HeaderField($0[0], $0[1]) }
        let text = answer.document.flatMap { documents[$0] } ?? ""
        let response = ReceivedResponse(status: answer.status ?? 200, fields: fields, body: Array(text.utf8))
        guard let tag = request.entityTag, response.status == 200, response.field("ETag") == tag else { return .success(response) }
        return .success(ReceivedResponse(status: 304, fields: fields))
    }

    private mutating func finish(_ arrival: Arrival) {
        if core.state.flight == arrival.order { metadata = arrival.metadata }
        self.arrival = nil
        let date = NumericDate(seconds: Self.start + now.components.seconds)
        core.complete(arrival.order, arrival.result, now: now, date: date)
    }

    // Tokens

    private var availableKeys: [VerificationKey] {
        guard core.state.hasKeys(now) else { return [] }
        return core.keys?.keys.filter { $0.unusableReason == nil } ?? []
    }

    /// The answer to a token that names a key, before the fetch that it causes has ended.
    private mutating func ask(_ keyID: String) -> String {
        if availableKeys.contains(where: { $0.keyID == keyID }) { return "key" }
        guard core.state.hasKeys(now) else {
            begin(core.keysWanted(now: now))
            return "keys_unavailable"
        }
        let (answer, order) = core.keyMissing(KeyIDHash(keyID), now: now)
        begin(order)
        return answer == .unknownKey ? "unknown_key" : "keys_unavailable"
    }

    // Comparison

    private func difference(from expected: CacheScenario.Expectation, _ answer: String?, _ step: CacheScenario.Step) -> String? {
        let names = Set(availableKeys.compactMap(\.keyID)).sorted()
        let pairs: [(String, String?, String?)] = [
            ("answer", expected.answer, answer),
            ("keys", expected.keys.map { $0.sorted().joined(separator: " ") }, names.joined(separator: " ")),
            ("generation", expected.generation.map { "\($0)" }, "\(core.state.generation)"),
            ("fetches", expected.fetches.map { "\($0)" }, "\(fetches)"),
            ("requests", expected.requests.map { "\($0)" }, "\(requests)"),
            // Whether the fetch brings the key shows when it has ended.
            ("waited", arrival == nil ? expected.waited.map { "\($0 == "key")" } : nil, "\(step.ask.map(names.contains) ?? false)"),
        ]
        for (name, wanted, got) in pairs where wanted != nil && wanted != got {
            return "expected \(name) \(wanted ?? "")\(name == "waited" ? " (the key is there)" : ""), got \(got ?? "none")"
        }
        return nil
    }
}
