#if IDaaS
/// How long the latest delivery took, and whether it succeeded.
actor GatewayPace {
    private(set) var duration = Duration.zero
    private(set) var failed = false

    func note(_ duration: Duration, failed: Bool) {
        self.duration = duration
        self.failed = failed
    }
}

/// The real gateway, with its pace noted.
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

/// Where messages go that nobody is to get: nowhere, at the pace and with the luck of the latest real one, so that the answer does not
/// tell that nothing was sent.
struct SinkGateway: SMSGateway {
    let pace: GatewayPace

    struct Failure: Error {}

    func deliver(_ message: SMSMessage) async throws {
        try await Task.sleep(for: pace.duration)
        if await pace.failed { throw Failure() }
    }
}
#endif
