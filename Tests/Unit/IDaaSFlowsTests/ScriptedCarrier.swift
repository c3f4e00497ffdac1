import IDaaSFlows
import JWKSTestSupport
import JWTTestSupport

/// A carrier's SDK with scripted replies. It records its calls.
final class ScriptedCarrier: CarrierSDK {
    enum Step: Sendable {
        case reply(CarrierReply)
        /// Nothing happens until the gate opens.
        case wait(Gate)
    }

    private struct State {
        var prefetches = 0
        var pages: [OneClickPage] = []
        var timeouts: [Duration] = []
        var closed = 0
    }

    let version = "2.1.0"
    private let blocked: CarrierCode?
    private let prefetched: [Step]
    private let visits: [[Step]]
    private let state = Guarded(State())

    /// - Parameters:
    ///   - prefetched: for each pre-fetch; the last one repeats.
    ///   - visits: for each page; the last one repeats.
    init(obstacle: CarrierCode? = nil, prefetched: [Step] = [.reply(CarrierReply(.success))], visits: [[Step]] = [[]]) {
        blocked = obstacle
        self.prefetched = prefetched
        self.visits = visits
    }

    /// A page that is shown, and on which these replies follow.
    convenience init(_ first: CarrierReply, _ more: CarrierReply...) {
        self.init(visits: [([CarrierReply(.pageShown), first] + more).map { .reply($0) }])
    }

    /// A page on which the user agrees and logs in.
    static func agreeing(_ token: String = "t-1") -> ScriptedCarrier {
        ScriptedCarrier(visits: [([CarrierReply(.pageShown)] + CarrierReply.agreed(token)).map { .reply($0) }])
    }

    var prefetchCount: Int { state.withLock { $0.prefetches } }
    var pages: [OneClickPage] { state.withLock { $0.pages } }
    var timeouts: [Duration] { state.withLock { $0.timeouts } }
    var closedCount: Int { state.withLock { $0.closed } }

    func obstacle(for mobile: String?) -> CarrierCode? { mobile == "other" ? .parameters : blocked }

    func prefetch(timeout: Duration) async -> CarrierReply {
        let place = state.withLock { state in
            state.prefetches += 1
            state.timeouts.append(timeout)
            return min(state.prefetches, prefetched.count) - 1
        }
        switch prefetched[place] {
        case .reply(let reply): return reply
        case .wait(let gate):
            await gate.pass()
            return CarrierReply(.success)
        }
    }

    func login(_ page: OneClickPage, on presenter: any OneClickPresenter, timeout: Duration) -> AsyncStream<CarrierReply> {
        let steps = state.withLock { state in
            state.pages.append(page)
            return visits[min(state.pages.count, visits.count) - 1]
        }
        return AsyncStream { continuation in
            let task = Task {
                for step in steps {
                    switch step {
                    case .reply(let reply): continuation.yield(reply)
                    case .wait(let gate): await gate.pass()
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { [weak self] _ in
                task.cancel()
                self?.state.withLock { $0.closed += 1 }
            }
        }
    }
}

extension CarrierReply {
    /// The user sets the check box and presses the button, and the carrier gives this token.
    static func agreed(_ token: String = "t-1") -> [CarrierReply] {
        [
            CarrierReply(.consentChanged, isConsented: true), CarrierReply(.loginPressed, isConsented: true),
            CarrierReply(.success, token: token),
        ]
    }
}
