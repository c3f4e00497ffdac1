import JWKSCache
import JWTCore

/// The probe guarantee (clarification B7): if a missing key is requested repeatedly, a fetch that bypasses every cache begins before ten
/// seconds without a fetch have passed, in all circumstances.
struct Patience {
    private var waits: [String: Wait] = [:]
    private var probes = 0
    /// The total time with a fetch in progress, and the start of the current one.
    private var busy: Duration = .zero
    private var busySince: Duration?
    private static let limit: Duration = .seconds(10)
    /// Less frequent requests do not count as waiting.
    static let step: Duration = .seconds(1)

    private struct Wait {
        var idle: Duration = .zero
        var lastAsk: Duration
        var lastBusy: Duration
        var probes: Int
    }

    /// `name`, or any key at all, was requested and is missing.
    mutating func asked(_ name: String, _ now: Duration) throws(Violation) {
        let busy = busyTime(now)
        var wait = waits[name] ?? Wait(lastAsk: now, lastBusy: busy, probes: probes)
        let gap = now - wait.lastAsk
        if gap > Self.step || wait.probes != probes {
            wait = Wait(lastAsk: now, lastBusy: busy, probes: probes)
        } else {
            wait.idle += gap - (busy - wait.lastBusy)
            (wait.lastAsk, wait.lastBusy) = (now, busy)
        }
        waits[name] = wait
        try expect(wait.idle <= Self.limit + Self.step, 2, "\(name) has been asked for in vain through \(wait.idle) without a fetch")
    }

    mutating func found(_ name: String) { waits[name] = nil }

    mutating func began(_ order: FetchOrder, _ now: Duration) {
        if order.isForced { probes += 1 }
        busySince = busySince ?? now
    }

    mutating func ended(_ now: Duration) {
        busy = busyTime(now)
        busySince = nil
    }

    private func busyTime(_ now: Duration) -> Duration { busy + (busySince.map { now - $0 } ?? .zero) }
}
