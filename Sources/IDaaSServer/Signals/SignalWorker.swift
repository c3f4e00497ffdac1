internal import JWTCore
internal import Locks
package import Logging
internal import ServiceLifecycle

/// Delivers signals while the server runs: at once those of its own transactions, and those of other processes, such as a command, after
/// its next look into the store.
package struct SignalWorker: Service, CustomStringConvertible {
    let services: Services
    let logger: Logger
    private let busy = Locked<Set<String>>([])
    /// Whether the last look into the store failed.
    private let isBlind = Locked(false)

    package init(services: Services, logger: Logger) {
        self.services = services
        self.logger = logger
    }

    /// The service group logs this name instead of the whole value.
    package var description: String { "signals" }

    package func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    var rings = services.store.signals.count
                    let look = await look()
                    for stream in look.pushes where busy.withLock({ $0.insert(stream.id).inserted }) {
                        group.addTask { await deliver(to: stream) }
                    }
                    if services.signalPolls.isWaiting(of: look.polls) {
                        services.store.signals.ring()
                        // Its own ring does not wake it: another look would find the same.
                        rings += 1
                    }
                    await services.store.signals.wait(after: rings, for: pause(after: look))
                }
            }
        }
    }

    /// Without a stream no process has a signal, and a stream that is added is found with the next look.
    private func pause(after look: SignalLook) -> Duration {
        look.hasStreams ? services.environment.signals.look : services.environment.signals.lookWithoutStreams
    }

    private func look() async -> SignalLook {
        do {
            let look = try await services.signalDelivery.look()
            isBlind.withLock { $0 = false }
            return look
        } catch {
            let wasBlind = isBlind.withLock { isBlind in
                defer { isBlind = true }
                return isBlind
            }
            // One line, and not one each second.
            if !wasBlind { note(error) }
            return SignalLook()
        }
    }

    /// A slow receiver keeps no other one waiting: each stream has a task of its own.
    private func deliver(to stream: SignalStream) async {
        var isOver = false
        do {
            while !Task.isCancelled, try await services.signalDelivery.deliver(to: stream) {}
            isOver = true
        } catch {
            note(error)
        }
        _ = busy.withLock { $0.remove(stream.id) }
        // A signal may have come since the last look, while the stream was still busy. After an error the pause is observed.
        if isOver { services.store.signals.ring() }
    }

    private func note(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        logger.error("signals cannot be delivered", metadata: ["error": "\(type(of: error)): \(error)"])
    }
}
