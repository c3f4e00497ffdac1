internal import IDaaSWire
internal import JWTCore
internal import Locks
internal import Logging
internal import Secrets
internal import ServiceLifecycle

/// Answers receivers that poll (RFC 8936).
///
/// A signal waits until its receiver has acknowledged it, and each poll gets the oldest ones again: a receiver that ended before it wrote them
/// down loses none. A poll that waits holds no connection to the store.
package struct SignalPolls: DomainService {
    package let environment: SharedEnvironment
    let events: SecurityEvents
    /// The polls that wait in this server, by stream.
    private let waiting = Locked<[String: Int]>([:])

    private var policy: SignalPolicy { environment.signals }

    package struct Answer: Hashable, Sendable {
        /// The tokens by their `jti`, in the order of their signals.
        package var sets: [Token]
        package var isMoreAvailable: Bool

        package struct Token: Hashable, Sendable {
            package var id: String
            package var token: String
        }
    }

    init(environment: SharedEnvironment, events: SecurityEvents) {
        self.environment = environment
        self.events = events
    }

    /// The stream of a receiver.
    ///
    /// - Parameter secret: reads the bearer secret of the request.
    /// - Throws: `RequestRefusal` 401 for an unknown stream, no or a wrong secret, and a stream that the server pushes to.
    package func stream(_ id: String, _ secret: () throws(ServiceError) -> String) async throws -> SignalStream {
        let stream = try await store.read { try $0.signalStream(id) }
        let offered: [UInt8]
        do { offered = Digest256.of(Array(try secret().utf8)) } catch { throw RequestRefusal.unauthorized(error) }
        guard let stream, case .poll(let digest) = stream.delivery, equalInConstantTime(digest, offered) else {
            var refusal = ServiceError(.expired, "Authorization")
            refusal.error = "invalid_token"
            throw RequestRefusal.unauthorized(refusal)
        }
        return stream
    }

    /// Removes what the receiver has taken or refused, and gives it the next tokens; unless it wants none at once, waits for one.
    package func answer(_ poll: SignalPoll, of stream: SignalStream) async throws -> Answer {
        try await settle(poll, stream.id)
        let limit = min(poll.maximumEvents ?? policy.usualEvents, policy.mostEvents)
        var signals = try await next(stream.id, limit + 1)
        if signals.isEmpty, limit > 0, !poll.returnsImmediately { signals = try await wait(for: stream.id, limit + 1) }
        let given = Array(signals.prefix(limit))
        let tokens = try await events.tokens(of: given, for: stream)
        return Answer(
            sets: zip(given, tokens).map { Answer.Token(id: $0.tokenID, token: $1) }, isMoreAvailable: signals.count > limit)
    }

    private func next(_ stream: String, _ limit: Int) async throws -> [StoredSignal] {
        let now = clock.now
        return try await store.read { try $0.signals(of: stream, at: now, limit: limit) }
    }

    private func settle(_ poll: SignalPoll, _ stream: String) async throws {
        guard !poll.taken.isEmpty || !poll.refused.isEmpty else { return }
        let signals = try await store.write { store in
            let signals = try store.signals(poll.taken + poll.refused.keys, of: stream)
            try store.remove(signals)
            return signals
        }
        for signal in signals {
            guard let code = poll.refused[signal.tokenID] else { continue }
            environment.signalMetrics.refused(code, of: stream)
            environment.logger.error(
                "a receiver refuses a signal", metadata: ["stream": "\(stream)", "err": "\(code)", "jti": "\(signal.tokenID)"])
        }
        environment.signalMetrics.delivered(signals.count { poll.refused[$0.tokenID] == nil }, of: stream)
    }

    /// Signals come with a ring: ``SignalWorker`` rings for those of other processes. A poll also looks each second by itself. A
    /// server that stops waits no longer.
    private func wait(for stream: String, _ limit: Int) async throws -> [StoredSignal] {
        let isFree = enter(stream)
        defer { leave(stream) }
        let (bell, deadline) = (store.signals, ContinuousClock.now + (isFree ? policy.longestPoll : policy.lookOfPolls))
        while true {
            let rings = bell.count
            let signals = try await next(stream, limit)
            let rest = deadline - .now
            guard signals.isEmpty, rest > .zero, !Task.isCancelled, !Task.isShuttingDownGracefully else { return signals }
            await cancelWhenGracefulShutdown { await bell.wait(after: rings, for: min(rest, policy.lookOfPolls)) }
        }
    }

    /// Whether a poll of one of these streams waits here.
    package func isWaiting(of streams: Set<String>) -> Bool { waiting.withLock { waiting in streams.contains { waiting[$0] != nil } } }

    /// Whether the stream may have one more poll that waits for long.
    private func enter(_ stream: String) -> Bool {
        waiting.withLock { waiting in
            waiting[stream, default: 0] += 1
            return waiting[stream, default: 0] <= policy.polls
        }
    }

    private func leave(_ stream: String) {
        waiting.withLock { waiting in
            let count = waiting[stream, default: 1] - 1
            waiting[stream] = count > 0 ? count : nil
        }
    }
}
