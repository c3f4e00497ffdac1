#if Gateway
internal import JWKSCache
internal import ServiceLifecycle

/// Forgets revocations and events that have expired.
struct SignalUpkeep: Service, CustomStringConvertible {
    let receiver: SignalReceiver
    let clock: any ElapsedClock

    private static let interval = Duration.seconds(60)

    /// The service group logs this name instead of the whole value.
    var description: String { "signal upkeep" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await clock.sleep(until: clock.elapsed + Self.interval)
                guard !Task.isCancelled else { return }
                receiver.removeExpired()
            }
        }
    }
}
#endif
