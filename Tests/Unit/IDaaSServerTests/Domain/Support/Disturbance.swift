import Foundation
import JWTCore
import Locks

/// Does something again and again while a test runs, on a thread of its own: it waits for other programs, and would keep Swift's threads from
/// the tests.
struct Disturbance: Sendable {
    private let isOver = Locked(false)
    private let turns: Task<Int, any Error>

    /// - Parameter disturb: returns what is counted.
    init(_ disturb: @Sendable @escaping () throws -> Int) {
        turns = Task { [isOver] in
            try await withCheckedThrowingContinuation { continuation in
                let hasBegun = BackgroundThread.start {
                    let count = Result {
                        var count = 0
                        while !isOver.withLock({ $0 }) { count += try disturb() }
                        return count
                    }
                    continuation.resume(with: count)
                }
                if !hasBegun { continuation.resume(throwing: CocoaError(.featureUnsupported)) }
            }
        }
    }

    /// Ends it.
    ///
    /// - Returns: the sum of what it counted.
    func end() async throws -> Int {
        isOver.withLock { $0 = true }
        return try await turns.value
    }
}
