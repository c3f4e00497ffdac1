import Foundation
import IDaaSServer
import JWKSCache
import JWTCore
import Locks
import Secrets

/// The identity server as it tells receivers of sessions that ended: its own delivery and its own answers to polls, over a store in a file. It
/// has the fleet's clock, and a seed in place of randomness.
final class EventTransmitter {
    static let issuer = "https://idp.example/api/v1/oauth2"

    private let folder: URL
    private let clock: EventClock
    private let store: any Store
    private let services: Services
    private let streams: [SignalStream]

    private struct NoMessages: SMSGateway {
        func deliver(_ message: SMSMessage) async throws {}
    }

    /// - Parameter receivers: each gets a stream with the name of its place.
    init(_ clock: EventClock, _ receivers: EventReceivers, seed: UInt64) async throws {
        self.clock = clock
        folder = FileManager.default.temporaryDirectory.appending(path: "event-fleet-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try SQLiteStore(path: folder.appending(path: "idaas.sqlite").path)
        let key = try ServerKey(bytes: [UInt8](repeating: 7, count: 32))
        var environment = ServiceEnvironment(store: store, clock: clock, serverKey: key, issuer: Self.issuer, gateway: NoMessages())
        environment.signing = SigningSettings(algorithm: .es256)
        environment.signalReceiver = receivers
        let random = Locked(SeededGenerator(seed: seed))
        environment.randomness = Randomness { count in
            random.withLock { random in (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) } }
        }
        services = Services(environment)
        streams = receivers.places.map { Self.stream($0, pushes: receivers.isPushed($0), clock.now) }
        try await services.serve()
        try await store.write { [streams] store in for stream in streams { try store.save(stream) } }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func stream(_ place: Int, pushes: Bool, _ now: Timestamp) -> SignalStream {
        let id = EventReceivers.name(place)
        let delivery: SignalStream.Delivery =
            pushes ? .push(url: "https://receiver.example/\(place)", sealedSecret: nil) : .poll(secretDigest: [UInt8(place)])
        var stream = SignalStream(id: id, name: id, audience: EventReceivers.audience, delivery: delivery, created: now)
        stream.wantsBundles = true
        return stream
    }

    /// The keys that verify its events.
    var keys: KeySet { get async throws { try await services.keys.verification() } }

    /// Ends one session.
    func end(_ session: String) async throws {
        try await store.write { [now = clock.now] in try $0.add(Signal(.sessionRevoked(user: "u", session: session, by: .user), at: now)) }
    }

    /// Ends sessions together, in bundles of a size.
    func end(_ sessions: [String], bundle: Int) async throws {
        try await store.write { [now = clock.now, streams] store in
            for start in stride(from: 0, to: sessions.count, by: bundle) {
                let part = Array(sessions[start..<min(start + bundle, sessions.count)])
                for stream in streams { try store.add(Signal(.sessionsRevoked(part, by: .admin), at: now), to: stream.id) }
            }
        }
    }

    /// Pushes what is due, as the server does after each change and each tenth of a second.
    func deliver() async throws {
        for stream in try await services.signalDelivery.look().pushes {
            while try await services.signalDelivery.deliver(to: stream) {}
        }
    }

    /// Takes a batch for each receiver, and ends before it has sent any of it.
    func isKilledWithinABatch() async throws {
        let policy = SignalPolicy()
        for stream in try await services.signalDelivery.look().pushes {
            try await store.write { [now = clock.now] store in
                try store.lease(try store.signals(of: stream.id, at: now, limit: policy.batch), until: now + policy.lease)
            }
        }
    }

    /// The tokens that an answer to a poll has, by their names.
    func answer(to place: Int, acknowledging taken: [String], most: Int) async throws -> [(name: String, token: String)] {
        var poll = SignalPoll()
        (poll.maximumEvents, poll.returnsImmediately, poll.taken) = (most, true, taken)
        return try await services.signalPolls.answer(poll, of: streams[place]).sets.map { ($0.id, $0.token) }
    }

    /// How often there was something new.
    var rings: Int { store.signals.count }

    /// How many signals no receiver has taken.
    var waiting: Int { get async throws { try await store.read { try $0.signalCounts() }.values.reduce(0, +) } }
}
