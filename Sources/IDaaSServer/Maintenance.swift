#if IDaaS
internal import Logging
internal import ServiceLifecycle

/// What has to be done now and then whether or not anybody asks: keys become active and retire, and what has run out is deleted. At
/// start, then once a minute.
struct Maintenance: Service, CustomStringConvertible {
    let services: Services
    let logger: Logger

    /// What the service group logs: not everything there is.
    var description: String { "maintenance" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await services.maintain()
                } catch is CancellationError {
                    return
                } catch {
                    // The next minute tries again: a full disk is no reason to stop verifying.
                    logger.error("maintenance failed", metadata: ["error": "\(type(of: error)): \(error)"])
                }
                do { try await Task.sleep(for: .seconds(60)) } catch { return }
            }
        }
    }
}
#endif
