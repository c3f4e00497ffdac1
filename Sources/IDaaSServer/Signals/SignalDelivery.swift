internal import Logging
internal import Secrets

/// Delivers the signals of streams that the server pushes to (RFC 8935).
///
/// Servers on one store share the work: each leases a batch, and what a server that was killed has leased is another's after the lease.
package struct SignalDelivery: DomainService {
    package let environment: SharedEnvironment
    let events: SecurityEvents

    private var policy: SignalPolicy { environment.signals }

    /// What the streams have for their receivers now.
    package func look() async throws -> SignalLook {
        let now = clock.now
        return try await store.read { try $0.signalLook(at: now) }
    }

    /// Delivers a batch of a stream, and says whether more of it is due at once.
    @discardableResult
    package func deliver(to stream: SignalStream) async throws -> Bool {
        guard case .push(let url, let sealedSecret) = stream.delivery else { return false }
        let (signals, failures) = try await lease(stream.id)
        guard !signals.isEmpty else { return false }
        let secret = try sealedSecret.map {
            String(decoding: try serverKey.open($0, as: .signalSecret(stream: stream.id)), as: UTF8.self)
        }
        let tokens = try await events.tokens(of: signals, for: stream)
        let receipts = await offer(tokens, at: url, secret)
        let batch = SignalBatch(stream: stream.id, signals: signals, receipts: receipts, failures: failures)
        // Also when this server is ending: what was taken must not be sent again.
        try await Task { try await settle(batch) }.value
        note(batch)
        return !batch.isPausing && (failures > 0 || signals.count == policy.batch)
    }

    /// Takes the longest due signals of a stream. After failures it is one, which tries whether the receiver is there again.
    private func lease(_ stream: String) async throws -> (signals: [StoredSignal], failures: Int) {
        try await store.write { [now = clock.now, policy] store in
            let pause = try store.signalPause(of: stream)
            if let pause, pause.ends > now { return ([], pause.failures) }
            let signals = try store.signals(of: stream, at: now, limit: pause == nil ? policy.batch : 1)
            try store.lease(signals, until: now + policy.lease)
            return (signals, pause?.failures ?? 0)
        }
    }

    /// Offers tokens in their order, some at once. After a failure no other one is begun.
    private func offer(_ tokens: [String], at url: String, _ secret: String?) async -> [SignalReceipt] {
        let receiver = environment.signalReceiver
        return await withTaskGroup(of: (Int, SignalReceipt).self) { group in
            var receipts = [SignalReceipt](repeating: .unsent, count: tokens.count)
            var begun = 0
            func begin() {
                let (place, token) = (begun, tokens[begun])
                group.addTask { (place, await receiver.take(token, at: url, secret: secret)) }
                begun += 1
            }
            while begun < min(policy.concurrent, tokens.count) { begin() }
            for await (place, receipt) in group {
                receipts[place] = receipt
                if begun < tokens.count, !Task.isCancelled, !receipts.contains(where: \.isFailure) { begin() }
            }
            return receipts
        }
    }

    /// Removes what the receiver has taken or refused, and keeps the rest: for after a pause of the stream in its old order, or where the
    /// receiver takes other signals, each for a time of its own.
    private func settle(_ batch: SignalBatch) async throws {
        let now = clock.now
        let waits = batch.failed.map { max(wait(afterFailures: $0.signal.attempts + 1), $0.retryAfter ?? .zero) }
        var pause: SignalPause?
        if batch.isPausing {
            let failures = batch.failures + 1
            pause = SignalPause(
                failures: failures, ends: now + max(wait(afterFailures: failures), batch.failed.compactMap(\.retryAfter).max() ?? .zero))
        }
        try await store.write { [pause] store in
            try store.remove(batch.finished)
            for (failed, wait) in zip(batch.failed, waits) {
                var signal = failed.signal
                signal.attempts += 1
                try store.postpone(signal, until: batch.isPausing ? signal.signal.at : now + wait)
            }
            for signal in batch.unsent { try store.postpone(signal, until: signal.signal.at) }
            if batch.isPausing || batch.hasAnswer { try store.pause(batch.stream, pause) }
        }
    }

    private func wait(afterFailures failures: Int) -> Duration {
        policy.wait(afterFailures: failures, Double(randomness.integer(below: 1_000)) / 1_000)
    }

    private func note(_ batch: SignalBatch) {
        let (metrics, logger) = (environment.signalMetrics, environment.logger)
        metrics.delivered(batch.receipts.count { $0 == .taken }, of: batch.stream)
        metrics.failed(batch.failed.count, of: batch.stream)
        for (signal, code) in batch.refused {
            metrics.refused(code, of: batch.stream)
            logger.error(
                "a receiver refuses a signal", metadata: ["stream": "\(batch.stream)", "err": "\(code)", "jti": "\(signal.tokenID)"])
        }
        guard let failure = batch.failed.first else { return }
        logger.warning(
            "signals are not delivered",
            metadata: [
                "stream": "\(batch.stream)", "reason": "\(failure.reason)", "failures": "\(batch.isPausing ? batch.failures + 1 : 1)",
            ])
    }

    /// Counts what waits for each stream, for the metrics.
    package func countPending() async throws {
        let (streams, counts) = try await store.read { (try $0.signalStreams(), try $0.signalCounts()) }
        environment.signalMetrics.pending(Dictionary(uniqueKeysWithValues: streams.map { ($0.id, counts[$0.id] ?? 0) }))
    }

    /// Drops the signals that are too old to matter, of every stream.
    package func dropOld() async throws {
        let oldest = clock.now - policy.maximumAge
        guard try await !store.read({ try $0.signalCounts(before: oldest) }).isEmpty else { return }
        let counts = try await store.write { store in
            let counts = try store.signalCounts(before: oldest)
            try store.removeSignals(before: oldest)
            return counts
        }
        for (stream, count) in counts.sorted(by: { $0.key < $1.key }) {
            environment.signalMetrics.dropped(count, of: stream)
            environment.logger.error("signals were dropped by their age", metadata: ["stream": "\(stream)", "count": "\(count)"])
        }
    }
}
