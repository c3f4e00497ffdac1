import IDaaSServer
import JWKSCache

/// Receivers of one transmitter's events, over an outage of half of them, restarts and a killed server: what the requests are, and when all
/// know.
struct EventFleet {
    private static let size = 32
    private static let outage: Range<Int> = 1_800..<5_400
    private static let kill = 6_000
    private static let back = 6_010
    private static let removal = 6_600
    private static let length = 7_200
    private static let bundles = 250
    private static let sessionsInABundle = 4

    private let clock = EventClock()
    private let receivers = EventReceivers(count: Self.size)
    private let transmitter: EventTransmitter
    private var pollers: [EventPoller]
    /// Of the times at which sessions end.
    private var random = SeededGenerator(seed: 35)
    /// Requests by second: of all, and those that reached nobody.
    private var requests: [EventReceivers.Requests] = []
    /// When each session ended.
    private var ended: [(session: String, at: Int)] = []
    private var nextEnd = 0
    /// When each receiver restarts, once.
    private let restarts: [Int]

    init() async throws {
        var random = SeededGenerator(seed: 36)
        transmitter = try await EventTransmitter(clock, receivers, seed: random.next())
        receivers.trust(try await transmitter.keys)
        pollers = receivers.places.filter { [receivers] in !receivers.isPushed($0) }.map { EventPoller(place: $0, seed: random.next()) }
        restarts = receivers.places.map { _ in Int.random(in: 300..<Self.length - 300, using: &random) }
    }

    /// Whether no receiver lost an event, and what is promised of requests and times holds.
    mutating func succeeds() async throws -> Bool {
        for second in 0..<Self.length { try await live(second) }
        let waiting = try await transmitter.waiting
        guard receivers.refused == 0, waiting == 0, let delays = delays(), let mass = lastOfRemoval else {
            print("events of the fleet are lost: \(waiting) wait, \(receivers.refused) tokens were refused")
            return false
        }
        let usual = load(0..<Self.outage.lowerBound) { $0.all }
        // The first tries of an outage follow each other soon.
        let down = load(Self.outage.lowerBound + 300..<Self.outage.upperBound) { $0.failed }
        print("fleet of \(Self.size) receivers of events, requests a second: \(usual); in vain in an outage of half of them \(down)")
        print(
            "  \(ended.count) events: all knew after \(delays.usual) s, \(delays.afterOutage) s after the outage, \(delays.afterKill) s after a "
                + "server was killed; \(Self.bundles) at once after \(mass) s; \(receivers.repeated) tokens came again")
        // A receiver that ends at the first token after its absence costs the server's longest wait a second time.
        let isFast = delays.usual <= 1 && delays.afterOutage <= 600 && mass <= 1
        return isFast && delays.afterKill <= 30 + 1 && down.mean <= Double(Self.size) / 50
    }

    private mutating func live(_ second: Int) async throws {
        let now = Duration.seconds(second), isUp = !(Self.kill..<Self.back).contains(second)
        clock.advance(to: now)
        receivers.advance(to: now)
        change(second)
        try await endSessions(second)
        if second == Self.kill { try await transmitter.isKilledWithinABatch() }
        if isUp { try await transmitter.deliver() }
        for place in pollers.indices { try await pollers[place].ask(isUp ? transmitter : nil, receivers, at: now) }
        requests.append(receivers.takeRequests())
    }

    /// Outages and restarts.
    private func change(_ second: Int) {
        for place in receivers.places {
            if restarts[place] == second { receivers.end(place) }
            if place % 2 == 0, second == Self.outage.lowerBound || second == Self.outage.upperBound {
                receivers.set(place, isAway: second == Self.outage.lowerBound)
            }
        }
    }

    private mutating func endSessions(_ second: Int) async throws {
        if second == Self.removal {
            try await transmitter.end(Self.removed, bundle: Self.sessionsInABundle)
        } else if second == nextEnd || second == Self.kill, second < Self.removal {
            ended.append(("s\(second)", second))
            try await transmitter.end("s\(second)")
        }
        if second >= nextEnd { nextEnd = second + Int.random(in: 30...270, using: &random) }
    }

    private static let removed = (0..<bundles * sessionsInABundle).map { "removed-\($0)" }

    private var lastOfRemoval: Int64? {
        receivers.known(Self.removed, by: Array(receivers.places)).map { $0.components.seconds - Int64(Self.removal) }
    }

    private struct Delays {
        var usual: Int64 = 0
        var afterOutage: Int64 = 0
        var afterKill: Int64 = 0
    }

    /// The longest time in seconds until all knew of an event; nil if one does not know of one.
    private func delays() -> Delays? {
        var delays = Delays()
        for (session, second) in ended {
            let isBetter = receivers.places.filter { $0 % 2 == 1 }
            // Afterwards the server waits for up to five minutes until it tries a receiver that was away.
            let isInOutage = (Self.outage.lowerBound..<Self.outage.upperBound + 300).contains(second)
            let isInKill = (Self.kill..<Self.back + 30).contains(second)
            guard let all = receivers.known([session], by: Array(receivers.places)), let better = receivers.known([session], by: isBetter)
            else { return nil }
            let delay = all.components.seconds - Int64(second)
            if isInOutage {
                delays.afterOutage = max(delays.afterOutage, all.components.seconds - Int64(max(second, Self.outage.upperBound)))
                delays.usual = max(delays.usual, better.components.seconds - Int64(second))
            } else if isInKill {
                delays.afterKill = max(delays.afterKill, delay)
            } else {
                delays.usual = max(delays.usual, delay)
            }
        }
        return delays
    }

    private func load(_ seconds: Range<Int>, _ count: (EventReceivers.Requests) -> Int) -> Load { Load(requests[seconds].map(count)[...]) }
}
