internal import NIOConcurrencyHelpers
package import ServiceLifecycle

/// Runs a server's services, and ends them from anywhere, even before they run.
package final class ShutdownSwitch: Sendable {
    private struct State {
        var isFired = false
        var action: (@Sendable () async -> Void)?
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Runs `group` until it ends, ``fire()`` is called or this task is cancelled. Cancelling the group would drop its requests; cancelling
    /// this task ends it gracefully instead.
    package func run(_ group: ServiceGroup) async throws {
        arm { await group.triggerGracefulShutdown() }
        let task = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            fire()
        }
    }

    /// Ends the services gracefully.
    package func fire() {
        let action = state.withLockedValue {
            $0.isFired = true
            return $0.action
        }
        if let action { Task { await action() } }
    }

    private func arm(_ action: @escaping @Sendable () async -> Void) {
        let isFired = state.withLockedValue {
            $0.action = action
            return $0.isFired
        }
        if isFired { Task { await action() } }
    }
}
