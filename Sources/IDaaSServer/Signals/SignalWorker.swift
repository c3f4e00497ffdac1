internal import JWTCore
internal import Locks
internal import Logging
internal import ServiceLifecycle

/// Delivers signals while the server runs: at once those of its own transactions, and those of other processes within a second.
struct SignalWorker: Service, CustomStringConvertible {
    let services: Services
    let logger: Logger
    private let busy = Locked<Set<String>>([])
    /// Whether the last look into the store failed.
    private let isBlind = Locked(false)

    init(services: Services, logger: Logger) {
        self.services = services
        self.logger = logger
    }

    /// The service group logs this name instead of the whole value.
    var description: String { "signals" }

    private static let pause = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let rings = services.store.signals.count
                    for stream in await due() where busy.withLock({ $0.insert(stream.id).inserted }) {
                        group.addTask { await deliver(to: stream) }
                    }
                    await services.store.signals.wait(after: rings, for: Self.pause)
                }
            }
        }
    }

    private func due() async -> [SignalStream] {
        do {
            let due = try await services.signalDelivery.due()
            isBlind.withLock { $0 = false }
            return due
        } catch {
            let wasBlind = isBlind.withLock { isBlind in
                defer { isBlind = true }
                return isBlind
            }
            // One line, and not one each second.
            if !wasBlind { note(error) }
            return []
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
