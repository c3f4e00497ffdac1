/// The duration and success of the latest delivery.
actor GatewayPace {
    private(set) var duration = Duration.zero
    private(set) var failed = false

    func note(_ duration: Duration, failed: Bool) {
        self.duration = duration
        self.failed = failed
    }
}

/// The real gateway; records its pace.
struct PacedGateway: SMSGateway {
    let gateway: any SMSGateway
    let pace: GatewayPace

    func deliver(_ message: SMSMessage) async throws {
        let start = ContinuousClock.now
        do {
            try await gateway.deliver(message)
            await pace.note(ContinuousClock.now - start, failed: false)
        } catch {
            await pace.note(ContinuousClock.now - start, failed: true)
            throw error
        }
    }
}

/// Drops messages. It takes as long as the latest real delivery, and succeeds or fails like it, so the answer does not reveal that nothing
/// was sent.
struct SinkGateway: SMSGateway {
    let pace: GatewayPace

    struct Failure: Error {}

    func deliver(_ message: SMSMessage) async throws {
        try await Task.sleep(for: pace.duration)
        if await pace.failed { throw Failure() }
    }
}
