import JWKSCache
import JWTCore

/// The probe guarantee (clarification B7): who asks again and again for what is missing sees a fetch past every cache begin before
/// ten seconds have gone by in which none was under way, come what may.
struct Patience {
    private var waits: [String: Wait] = [:]
    private var probes = 0
    /// How long fetches have been under way, all told, and since when one is.
    private var busy: Duration = .zero
    private var busySince: Duration?
    private static let limit: Duration = .seconds(10)
    /// Who asks less often than this is not waiting.
    static let step: Duration = .seconds(1)

    private struct Wait {
        var idle: Duration = .zero
        var lastAsk: Duration
        var lastBusy: Duration
        var probes: Int
    }

    /// `name`, or any key at all, was asked for and is not there.
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
