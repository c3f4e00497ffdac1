#if Gateway
internal import Locks
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import HTTPEdge
internal import ServiceLifecycle

/// Decisions by outcome and code over the last half hour, in steps of ten seconds, for the status page.
final class VerdictHistory: Sendable {
    static let step = Duration.seconds(10)
    private static let steps = 180

    /// What happened in one step.
    struct Step: Sendable {
        let date: NumericDate
        /// `allowed`, `waived`, or the code of the refusal.
        let counts: [String: UInt64]
        let p50: Double?
        let p99: Double?
    }

    private struct State {
        var counts: [String: UInt64] = [:]
        var latencies = LatencyCounts()
        var steps: [Step] = []
    }

    private let state = Locked(State())

    var steps: [Step] { state.withLock(\.steps) }

    /// Ends a step.
    func sample(_ counters: DecisionCounters, _ latencies: LatencyCounts, at date: NumericDate) {
        let counts = Self.totals(counters.counts)
        state.withLock { state in
            // A policy that a reload removed takes its counts with it.
            let difference = counts.reduce(into: [String: UInt64]()) { sums, pair in
                let before = state.counts[pair.key] ?? 0
                if pair.value > before { sums[pair.key] = pair.value - before }
            }
            let spent = latencies.since(state.latencies)
            state.steps.append(Step(date: date, counts: difference, p50: spent.quantile(0.5), p99: spent.quantile(0.99)))
            if state.steps.count > Self.steps { state.steps.removeFirst(state.steps.count - Self.steps) }
            state.counts = counts
            state.latencies = latencies
        }
    }

    private static func totals(_ counts: [DecisionCounters.Count]) -> [String: UInt64] {
        counts.reduce(into: [:]) { sums, count in
            switch count.outcome {
            case .allowed, .waived: sums[count.outcome.rawValue, default: 0] += count.count
            case .denied: sums[count.code ?? "denied", default: 0] += count.count
            case .shadowAllowed, .shadowDenied: break
            }
        }
    }
}

/// Samples the history, and looks after the memory of connections that have left.
struct HistorySampling: Service, CustomStringConvertible {
    let observations: Observations
    let clock: any ElapsedClock
    let date: any UnixClock

    /// The service group logs this name instead of the whole value.
    var description: String { "history" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var heap = HeapTrim()
            while !Task.isCancelled {
                await clock.sleep(until: clock.elapsed + VerdictHistory.step)
                observations.sample(at: date.now)
                let connections = observations.connections()
                if heap.isDue(connections: connections.open, peak: connections.peak) { HeapTrim.trim() }
            }
        }
    }
}
#endif
