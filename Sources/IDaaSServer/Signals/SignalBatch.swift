/// Signals that were offered together, and what became of each.
struct SignalBatch: Sendable {
    let stream: String
    let signals: [StoredSignal]
    let receipts: [SignalReceipt]
    /// The failures in a row before this batch.
    let failures: Int

    struct Failed: Sendable {
        let signal: StoredSignal
        let reason: String
        let retryAfter: Duration?
    }

    /// Whether the receiver decided about any.
    var hasAnswer: Bool { receipts.contains(where: \.isAnswer) }
    /// Whether the whole stream has to wait: its receiver is not there, or refuses every sender.
    var isPausing: Bool { !hasAnswer && receipts.contains(where: \.isFailure) }

    var finished: [StoredSignal] { zip(signals, receipts).filter { $1.isAnswer }.map(\.0) }
    var unsent: [StoredSignal] { zip(signals, receipts).filter { $1 == .unsent }.map(\.0) }

    var failed: [Failed] {
        zip(signals, receipts).compactMap { signal, receipt in
            guard case .failed(let reason, let retryAfter) = receipt else { return nil }
            return Failed(signal: signal, reason: reason, retryAfter: retryAfter)
        }
    }

    var refused: [(signal: StoredSignal, code: String)] {
        zip(signals, receipts).compactMap { signal, receipt in
            if case .refused(let code) = receipt { (signal, code) } else { nil }
        }
    }
}
