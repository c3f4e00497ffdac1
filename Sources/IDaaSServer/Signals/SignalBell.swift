internal import Locks

/// Wakes what delivers signals, so that it need not wait for its next look at the store.
package final class SignalBell: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Locked(State())

    init() {}

    /// How often it has rung. A task that looks into the store reads this before, and then misses no ring.
    package var count: Int { state.withLock { $0.count } }

    package func ring() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.count += 1
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns at the first ring after the `count`-th, after `time`, or when the task is cancelled.
    package func wait(after count: Int, for time: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(after: count) }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(after count: Int) async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.count == count, !Task.isCancelled else { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    /// Runs a transaction, and rings if it added signals.
    func afterwards<Value>(_ transaction: (SignalMark) async throws -> Value) async throws -> Value {
        let mark = SignalMark()
        let value = try await transaction(mark)
        if mark.isSet { ring() }
        return value
    }
}

/// Says whether a transaction added signals.
final class SignalMark: Sendable {
    private let state = Locked(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}
