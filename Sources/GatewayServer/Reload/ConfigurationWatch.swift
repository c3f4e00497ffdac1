#if Gateway
internal import JWKSCache
internal import ServiceLifecycle
internal import UnixSignals

/// Reloads when a file has changed, and on SIGHUP.
struct ConfigurationWatch: Service, CustomStringConvertible {
    let reloading: Reloading
    let clock: any ElapsedClock
    /// SIGHUP; nil if the service does not heed signals.
    let hangups: UnixSignalsSequence?

    /// The time between two looks.
    static let interval = Duration.seconds(1)

    /// The service group logs this name instead of the whole value.
    var description: String { "configuration watch" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await watchFiles() }
                if let hangups {
                    group.addTask { for await _ in hangups { reloading.reloadConfiguration() } }
                }
            }
        }
    }

    private func watchFiles() async {
        while !Task.isCancelled {
            await clock.sleep(until: clock.elapsed + Self.interval)
            guard !Task.isCancelled else { return }
            reloading.reloadChangedFiles()
        }
    }
}
#endif
