internal import JWKSCache
internal import JWTCore

/// One visit to the page of one-click login.
struct OneClickVisit: Sendable {
    let carrier: any CarrierSDK
    let number: NumberPrefetch
    let clock: any ElapsedClock
    let page: OneClickPage
    let presenter: any OneClickPresenter
    let timeout: Duration

    private enum Signal: Sendable {
        case reply(CarrierReply)
        case ended
        /// The time-out of the step that had this number.
        case late(Int)
    }

    func run(_ tell: @Sendable (OneClickEvent) -> Void) async {
        // A SIM card that was switched since the number was fetched is told before the page appears: fetch anew, once.
        for attempt in 1...2 {
            if case .failed(let failure) = await number.prepare(timeout: timeout) { return tell(.failed(failure)) }
            let (last, wasShown) = await open(tell)
            guard case .failed(let failure) = last else { return tell(last) }
            await number.forget()
            guard attempt == 1, failure.meaning == .carrierSwitched, !wasShown else { return tell(last) }
        }
    }

    /// Shows the page once. Tells every event but the last, which it returns, with whether the page ever appeared.
    private func open(_ tell: @Sendable (OneClickEvent) -> Void) async -> (last: OneClickEvent, wasShown: Bool) {
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        let pump = Task {
            for await reply in carrier.login(page, on: presenter, timeout: timeout) { continuation.yield(.reply(reply)) }
            continuation.yield(.ended)
        }
        defer { pump.cancel() }
        var steps = OneClickSteps(page), step = 0
        var timer = alarm(step, continuation)
        defer { timer.cancel() }
        for await signal in signals {
            switch signal {
            case .late(step) where steps.isHurried: return (.failed(CarrierFailure(.timedOut)), steps.isShown)
            case .late: continue
            case .ended: return (.failed(CarrierFailure(.unknown, "the page ended without a result")), steps.isShown)
            case .reply(let reply):
                let wasHurried = steps.isHurried
                if let event = steps.event(for: reply, now: clock.date.seconds) {
                    if event.isLast { return (event, steps.isShown) }
                    tell(event)
                }
                guard steps.isHurried != wasHurried else { continue }
                timer.cancel()
                step += 1
                if steps.isHurried { timer = alarm(step, continuation) }
            }
        }
        return (.cancelled, steps.isShown)
    }

    private func alarm(_ step: Int, _ continuation: AsyncStream<Signal>.Continuation) -> Task<Void, Never> {
        let end = clock.elapsed + timeout
        return Task { [clock] in
            await clock.sleep(until: end)
            if !Task.isCancelled { continuation.yield(.late(step)) }
        }
    }
}
