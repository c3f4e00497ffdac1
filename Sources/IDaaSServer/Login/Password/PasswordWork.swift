internal import Foundation
internal import IDaaSWire
internal import JWTCore
internal import Locks

/// Runs password hashes on two threads of their own, behind a queue of bounded length.
///
/// A flood of logins then costs two cores and 64 MiB at most, and never the threads that serve all other requests.
package final class PasswordWork: Sendable {
    private let queues: [DispatchQueue]
    private let longestQueue: Int
    private let state = Locked(State())

    private struct State {
        var turn = 0
        var waiting = 0
        var running = 0
        var mostRunning = 0
        var ended = 0
    }

    /// - Parameters:
    ///   - threads: hashes at once; each needs 32 MiB.
    ///   - longestQueue: hashes that run or wait; more are refused.
    package init(threads: Int = 2, longestQueue: Int = 32) {
        queues = (0..<threads).map { DispatchQueue(label: "idaas.password.\($0)") }
        self.longestQueue = longestQueue
    }

    /// The most hashes that ever ran at once.
    package var mostRunning: Int { state.withLock { $0.mostRunning } }

    /// The hashes that ran.
    package var ended: Int { state.withLock { $0.ended } }

    /// The result of `work`, which runs off the caller's thread.
    ///
    /// - Throws: `IDAAS.SDK.RATE.1001` while the queue is full.
    package func run<Value: Sendable>(_ work: @Sendable @escaping () throws -> Value) async throws -> Value {
        let queue = try state.withLock { state in
            guard state.waiting < longestQueue else { throw ServiceError(.rateLimited, retryAfter: .seconds(1)) }
            state.waiting += 1
            state.turn += 1
            return queues[state.turn % queues.count]
        }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                state.withLock {
                    $0.running += 1
                    $0.mostRunning = max($0.mostRunning, $0.running)
                }
                let result = Result { try work() }
                state.withLock {
                    $0.running -= 1
                    $0.ended += 1
                }
                continuation.resume(with: result)
            }
        }
    }
}
