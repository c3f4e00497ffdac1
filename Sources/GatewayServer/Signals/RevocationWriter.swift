#if Gateway
package import Gateway
package import JWTCore
internal import Locks
internal import Logging

/// Where revocations are written down: a ``RevocationLog``, or a script of a test.
package protocol RevocationStore: Sendable {
    /// Returns once a restart would find the entries.
    func append(_ entries: [RevocationList.Entry], now: NumericDate) throws
}

extension RevocationLog: RevocationStore {}

/// Writes entries down, and then puts them in force. Those that come while a write is under way are written together.
final class RevocationWriter: Sendable {
    private let store: any RevocationStore
    private let revocations: Revocations
    private let date: any UnixClock
    private let logger: Logger
    private let state = Locked(State())

    private struct State {
        var waiting: [Batch] = []
        var isWriting = false
        /// Whether the last write failed: its failure is told once.
        var isFailing = false
    }

    private struct Batch {
        let entries: [RevocationList.Entry]
        let continuation: CheckedContinuation<Bool, Never>
    }

    init(store: any RevocationStore, revocations: Revocations, date: any UnixClock, logger: Logger) {
        self.store = store
        self.revocations = revocations
        self.date = date
        self.logger = logger
    }

    /// Whether the last write failed.
    var isFailing: Bool { state.withLock(\.isFailing) }

    /// - Returns: whether the entries are written down and in force. If not, neither.
    func write(_ entries: [RevocationList.Entry]) async -> Bool {
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                state.waiting.append(Batch(entries: entries, continuation: continuation))
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if begins { Task { writeAll() } }
        }
    }

    private func writeAll() {
        while true {
            let batches = state.withLock { state in
                defer { state.waiting = [] }
                state.isWriting = !state.waiting.isEmpty
                return state.waiting
            }
            if batches.isEmpty { return }
            let isWritten = append(batches.flatMap(\.entries))
            for batch in batches { batch.continuation.resume(returning: isWritten) }
        }
    }

    private func append(_ entries: [RevocationList.Entry]) -> Bool {
        do {
            try store.append(entries, now: date.now)
            return noted(revocations.add(entries) ? nil : "there are too many of them")
        } catch {
            return noted("\(error)")
        }
    }

    /// Tells the first failure of several, and their end.
    ///
    /// - Returns: whether there is no failure.
    private func noted(_ failure: String?) -> Bool {
        let isFailing = failure != nil
        let isChange = state.withLock { state in
            defer { state.isFailing = isFailing }
            return state.isFailing != isFailing
        }
        if isChange, let failure {
            logger.error("revocations of events cannot be kept; events are put off", metadata: ["error": "\(failure)"])
        } else if isChange {
            logger.notice("revocations of events are kept again")
        }
        return !isFailing
    }
}
#endif
