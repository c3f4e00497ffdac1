import IDaaSServer
import JWTCore
import Locks
import SharedSignals

/// The receivers of the fleet, the first half by push and the others by poll. What one knows outlives its restarts, as a log of revocations
/// does; which tokens it has seen does not.
final class EventReceivers: SignalReceiver {
    static let audience = "https://gateway.example"
    static func name(_ place: Int) -> String { "receiver-\(place)" }

    let places: Range<Int>
    private let state: Locked<State>

    private struct State {
        var verifier: SecurityEventVerifier<KeySet>?
        var now = Duration.zero
        var receivers: [Receiver]
        /// Requests since the last ``takeRequests()``: of all, and of those that reached nobody.
        var requests = Requests()
        var refused = 0
    }

    private struct Receiver {
        var isAway = false
        /// It will end when it has written down what it gets next, and before it says so.
        var isEnding = false
        /// When it learned of each session.
        var known: [String: Duration] = [:]
        /// The `jti` since its last start, and of all its lives.
        var seen: Set<String> = []
        var everSeen: Set<String> = []
        var repeated = 0
    }

    struct Requests {
        var all = 0
        var failed = 0
    }

    init(count: Int) {
        places = 0..<count
        state = Locked(State(receivers: Array(repeating: Receiver(), count: count)))
    }

    func isPushed(_ place: Int) -> Bool { place < places.count / 2 }

    /// - Parameter keys: the transmitter's.
    func trust(_ keys: KeySet) {
        let policy = ClaimsPolicy.securityEvents(issuer: EventTransmitter.issuer, audience: Self.audience)
        state.withLock { $0.verifier = SecurityEventVerifier(keys: keys, policy: policy) }
    }

    func advance(to moment: Duration) { state.withLock { $0.now = moment } }

    /// Whether a receiver can be reached, and reaches others.
    func set(_ place: Int, isAway: Bool) { state.withLock { $0.receivers[place].isAway = isAway } }

    /// Lets a receiver end after the next token, and start again at once.
    func end(_ place: Int) { state.withLock { $0.receivers[place].isEnding = true } }

    /// Whether a receiver ends now, and has forgotten which tokens it has seen.
    func ends(_ place: Int) -> Bool {
        state.withLock { state in
            guard state.receivers[place].isEnding else { return false }
            (state.receivers[place].isEnding, state.receivers[place].seen) = (false, [])
            return true
        }
    }

    // Requests

    func take(_ token: String, at url: String, secret: String?) async -> SignalReceipt {
        let place = url.split { $0 == "/" }.last.flatMap { Int($0) } ?? -1
        guard places.contains(place), count(place) else { return .failed("connection") }
        guard take([token], place) != nil else { return .refused("invalid_request") }
        return ends(place) ? .failed("connection") : .taken
    }

    /// Counts a request to or from a receiver.
    ///
    /// - Returns: whether it reaches the other side.
    func count(_ place: Int, isTransmitterUp: Bool = true) -> Bool {
        state.withLock { state in
            let isReached = isTransmitterUp && !state.receivers[place].isAway
            state.requests.all += 1
            state.requests.failed += isReached ? 0 : 1
            return isReached
        }
    }

    /// Verifies tokens, and remembers what they revoke.
    ///
    /// - Returns: how many were new since the last start; nil if one is refused.
    func take(_ tokens: [String], _ place: Int) -> Int? {
        state.withLock { state in
            var news = 0
            for token in tokens {
                guard let verified = try? state.verifier?.verify(token, now: NumericDate(seconds: state.now.date)) else {
                    state.refused += 1
                    return nil
                }
                let isNew = state.receivers[place].seen.insert(verified.tokenID).inserted
                news += isNew ? 1 : 0
                state.receivers[place].repeated += state.receivers[place].everSeen.insert(verified.tokenID).inserted ? 0 : 1
                for session in Self.sessions(verified) where state.receivers[place].known[session] == nil {
                    state.receivers[place].known[session] = state.now
                }
            }
            return news
        }
    }

    private static func sessions(_ token: VerifiedSecurityEventToken) -> [String] {
        let terms = RevocationTerms(tokenIssuer: EventTransmitter.issuer)
        return terms.effects(of: token, at: token.issuedAt).flatMap { effect -> [String] in
            switch effect {
            case .revokes(.session(let name)): [name]
            case .revokes(.sessions(let names)): names
            default: []
            }
        }
    }

    // Counts

    func takeRequests() -> Requests {
        state.withLock { state in
            defer { state.requests = Requests() }
            return state.requests
        }
    }

    /// Tokens that were refused. None may be.
    var refused: Int { state.withLock { $0.refused } }
    /// Tokens that came again.
    var repeated: Int { state.withLock { $0.receivers.reduce(0) { $0 + $1.repeated } } }

    /// When the last of the receivers knew of the last of these sessions; nil if one does not know.
    func known(_ sessions: [String], by places: [Int]) -> Duration? {
        state.withLock { state in
            var last = Duration.zero
            for place in places {
                for session in sessions {
                    guard let moment = state.receivers[place].known[session] else { return nil }
                    last = max(last, moment)
                }
            }
            return last
        }
    }
}
