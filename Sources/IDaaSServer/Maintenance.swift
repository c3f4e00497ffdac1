internal import Logging
internal import ServiceLifecycle

/// Periodic work that no request triggers: it activates and retires keys, and deletes expired records. It runs at start, then once a
/// minute.
struct Maintenance: Service, CustomStringConvertible {
    let services: Services
    let logger: Logger

    /// The service group logs this name instead of the whole value.
    var description: String { "maintenance" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await services.maintain()
                } catch is CancellationError {
                    return
                } catch {
                    // The next run tries again: a full disk is no reason to stop verifying.
                    logger.error("maintenance failed", metadata: ["error": "\(type(of: error)): \(error)"])
                }
                do { try await Task.sleep(for: .seconds(60)) } catch { return }
            }
        }
    }
}
