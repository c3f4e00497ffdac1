internal import JWTCore
internal import Locks

/// The answers of a client that its host has not taken, and the URLs that it has asked for.
final class AnswerInbox: Sendable {
    private let wake: HostWake
    private let state = Locked(State())

    private struct State {
        var isClosed = false
        /// Until the host takes the answer.
        var asked: Set<String> = []
        var answers: [(url: String, answer: HostAnswer)] = []
        /// What the host reads now.
        var lent: HostAnswer?

        /// So many answers may be awaited or kept.
        static let mostAsked = 1_024
    }

    init(_ wake: HostWake) {
        self.wake = wake
        ForkedLocks.add(state, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    /// Notes that `url` is asked for.
    ///
    /// - Returns: false if it is already, or if too many are.
    func begin(_ url: String) -> Bool {
        state.withLock { $0.asked.count < State.mostAsked && $0.asked.insert(url).inserted }
    }

    /// Keeps an answer for the host, and wakes it. Under the lock, so that nothing wakes a host whose client is gone.
    func add(_ answer: HostAnswer, to url: String) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.answers.append((url, answer))
            wake()
        }
    }

    /// The oldest answer. Its texts live until the next call.
    func take() -> HostAnswer? {
        state.withLock { state in
            guard !state.answers.isEmpty else { return nil }
            let (url, answer) = state.answers.removeFirst()
            state.asked.remove(url)
            state.lent = answer
            return answer
        }
    }

    func close() { state.withLock { $0.isClosed = true } }
}

/// How a host learns of an answer.
@safe
struct HostWake: @unchecked Sendable {
    // SAFETY: the host answers for the function and its context on every thread, until its client is gone.
    private let function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    private let context: UnsafeMutableRawPointer?

    @unsafe
    init(_ function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ context: UnsafeMutableRawPointer?) {
        unsafe self.function = function
        unsafe self.context = context
    }

    func callAsFunction() { unsafe function?(context) }
}
