#if Gateway
internal import JWTCore
internal import Locks
internal import ReplayMemory

/// A use that waits for its answer. The first answer counts: that of the store, or the end of its time.
final class WaitingUse: Sendable {
    typealias Answer = Result<ReplayUse, ReplayMemoryError>

    let identifier: ReplayIdentifier
    let end: NumericDate
    let now: NumericDate
    let deadline: StoreDeadline
    private let continuation = Locked<CheckedContinuation<Answer, Never>?>(nil)

    init(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate, _ deadline: StoreDeadline) {
        self.identifier = identifier
        self.end = end
        self.now = now
        self.deadline = deadline
    }

    /// Before anybody may answer.
    func wait(_ continuation: CheckedContinuation<Answer, Never>) { self.continuation.withLock { $0 = continuation } }

    var isAnswered: Bool { continuation.withLock { $0 == nil } }

    func answer(_ answer: Answer) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: answer)
    }
}
#endif
