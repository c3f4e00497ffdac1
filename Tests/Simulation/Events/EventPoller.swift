import GatewayServer
import JWKSCache

/// A receiver that polls: when it asks, and what it acknowledges. Its pace is the service's own.
struct EventPoller {
    let place: Int
    private var pace: PollPace
    /// Of the last answer.
    private var taken: [String] = []
    private var next: Duration = .zero
    /// A question that the transmitter holds back until there is an event, and how often its bell had rung when it last looked.
    private var openUntil: Duration?
    private var heard = 0

    /// As the service has them, if no setting says otherwise.
    private static let interval = Duration.seconds(1)
    private static let most = 32
    /// How long the transmitter holds a question back.
    private static let longest = Duration.seconds(25)

    init(place: Int, seed: UInt64) {
        self.place = place
        pace = PollPace(interval: Self.interval, seed: seed)
    }

    /// Asks as often as it is time.
    mutating func ask(_ transmitter: EventTransmitter?, _ receivers: EventReceivers, at now: Duration) async throws {
        if openUntil != nil, transmitter == nil { fail(now) }
        if let end = openUntil, let transmitter, now >= end || transmitter.rings != heard { try await look(transmitter, receivers, now) }
        while openUntil == nil, next <= now {
            guard receivers.count(place, isTransmitterUp: transmitter != nil), let transmitter else { return fail(now) }
            openUntil = now + Self.longest
            try await look(transmitter, receivers, now)
        }
    }

    private mutating func fail(_ now: Duration) {
        openUntil = nil
        next = now + pace.wait(afterFailureAsking: nil)
    }

    /// What the transmitter does with an open question.
    private mutating func look(_ transmitter: EventTransmitter, _ receivers: EventReceivers, _ now: Duration) async throws {
        heard = transmitter.rings
        let answer = try await transmitter.answer(to: place, acknowledging: taken, most: Self.most)
        taken = []
        if answer.isEmpty {
            guard let end = openUntil, now >= end else { return }
            next = now + pace.wait(afterNews: false)
        } else {
            let news = receivers.take(answer.map(\.token), place) ?? 0
            // What it has taken and not acknowledged comes again.
            if !receivers.ends(place) { taken = answer.map(\.name) }
            next = now + pace.wait(afterNews: news > 0)
        }
        openUntil = nil
    }
}
