internal import JWKSCache

/// The pre-fetched number: fetched once for all callers, and valid for a while.
actor NumberPrefetch {
    private let carrier: any CarrierSDK
    private let clock: any ElapsedClock
    private var flight: Task<CarrierReply, Never>?
    /// Until when the carrier's SDK has a number.
    private var readyUntil: Duration?

    /// The carriers promise no time. A SIM card that is switched within it is told by `600021`.
    static let lifetime: Duration = .seconds(600)

    init(_ carrier: any CarrierSDK, _ clock: any ElapsedClock) {
        self.carrier = carrier
        self.clock = clock
    }

    /// Fetches the number unless it is there.
    func prepare(timeout: Duration) async -> CarrierOutcome {
        if let readyUntil, clock.elapsed < readyUntil { return .ready }
        let reply = await fetched(timeout)
        guard reply.code.meaning == .success || reply.code.meaning == .environmentReady else { return .failed(CarrierFailure(reply)) }
        return .ready
    }

    /// Forgets the number: the next page fetches it.
    func forget() { readyUntil = nil }

    private func fetched(_ timeout: Duration) async -> CarrierReply {
        if let flight { return await Abandonable.value(of: flight) ?? CarrierReply(.unknown) }
        let task = Task { [carrier, clock] in
            let reply = await Deadline.race(clock, timeout) { await carrier.prefetch(timeout: timeout) } ?? CarrierReply(.timedOut)
            flight = nil
            if reply.code.meaning == .success { readyUntil = clock.elapsed + Self.lifetime }
            return reply
        }
        flight = task
        return await Abandonable.value(of: task) ?? CarrierReply(.unknown)
    }
}
