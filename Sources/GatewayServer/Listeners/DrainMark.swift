#if Gateway
internal import Operations
internal import ServiceLifecycle

/// Marks the service as draining before any listener ends.
struct DrainMark: Service, CustomStringConvertible {
    let gateway: LiveGateway
    let notification: ServiceNotification

    /// The service group logs this name instead of the whole value.
    var description: String { "drain mark" }

    func run() async throws {
        try? await gracefulShutdown()
        gateway.drain()
        notification.send("STOPPING=1\nSTATUS=Draining")
    }
}
#endif
