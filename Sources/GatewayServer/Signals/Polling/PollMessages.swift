#if Gateway
internal import JWKSCache
internal import JWTCore

/// A question of RFC 8936 section 2.2: more events, with what became of earlier ones.
struct PollQuestion: Encodable {
    let maxEvents: Int
    let returnImmediately: Bool
    /// The names of events that are written down.
    let ack: [String]
    /// The events that are refused, by name.
    let setErrs: [String: SignalRefusalDocument]
}

/// An answer (section 2.3). `moreAvailable` is not read: after an answer that brought something new the next question follows at once.
struct PollAnswer {
    /// The tokens by name, in no order.
    let sets: [String: String]

    /// - Parameter most: the number of events that were asked for.
    /// - Throws: ``PollFailure``.
    init(_ response: ReceivedResponse, most: Int) throws(PollFailure) {
        guard response.status == 200 else { throw PollFailure(.status(response.status), retryAfter: response.retryAfter) }
        guard let tree = try? JSONTree(parsing: response.body), let members = tree.members else { throw PollFailure(.malformed) }
        let sets = (members["sets"] ?? .object([:])).members, texts = sets?.compactMapValues(\.text)
        guard let sets, let texts, texts.count == sets.count, texts.count <= most else { throw PollFailure(.malformed) }
        guard texts.keys.allSatisfy({ (1...Self.longestName).contains($0.utf8.count) }) else { throw PollFailure(.malformed) }
        self.sets = texts
    }

    /// Names go back to the transmitter.
    private static let longestName = 1_024
}

/// Why a question has no answer.
struct PollFailure: Error, Hashable, Sendable {
    let reason: Reason
    /// What the transmitter asks for; nil: nothing.
    let retryAfter: Duration?

    enum Reason: Hashable, Sendable {
        case request(RequestFailure)
        case status(Int)
        case malformed
        /// There is no secret to send.
        case secretUnavailable
    }

    init(_ reason: Reason, retryAfter: Duration? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// The name in metrics and logs.
    var name: String {
        switch reason {
        case .request(let failure): failure.reason.rawValue
        case .status(let status): "status_\(status)"
        case .malformed: "malformed_answer"
        case .secretUnavailable: "secret_unavailable"
        }
    }

    /// Whether fewer events may fit into an answer.
    var isTooLarge: Bool { if case .request(let failure) = reason { failure.reason == .tooLarge } else { false } }
}

extension ReceivedResponse {
    /// `Retry-After` in seconds (RFC 9110 section 10.2.3); nil for a date.
    fileprivate var retryAfter: Duration? {
        first("Retry-After").flatMap { Int($0) }.flatMap { $0 >= 0 ? .seconds($0) : nil }
    }
}
#endif
