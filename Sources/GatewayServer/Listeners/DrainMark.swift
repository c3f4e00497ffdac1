#if Gateway
internal import HTTPEdge
internal import ServiceLifecycle

/// Tells the outside that the service is ready, and marks it as draining before any listener ends. It starts after the listeners, when the
/// group heeds signals: a program that waits for READY may send one at once.
struct DrainMark: Service, CustomStringConvertible {
    let gateway: LiveGateway
    let notification: ServiceNotification
    let onReady: @Sendable () async -> Void

    /// The service group logs this name instead of the whole value.
    var description: String { "drain mark" }

    func run() async throws {
        notification.send("READY=1\nSTATUS=Listening")
        await onReady()
        try? await gracefulShutdown()
        gateway.drain()
        notification.send("STOPPING=1\nSTATUS=Draining")
    }
}
#endif
