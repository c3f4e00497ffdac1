#if IDaaS
/// Whether requests can be answered, as found out at most once a second and by one check at a time: a check is a transaction that waits
/// for the disk, and anybody may ask.
package actor Readiness {
    private let clock: any ServerClock
    private let check: @Sendable () async throws -> Void
    private var latest: (isReady: Bool, time: Timestamp)?
    private var running: Task<Bool, Never>?

    /// - Parameter check: throws where they cannot be answered.
    package init(clock: any ServerClock, check: @Sendable @escaping () async throws -> Void) {
        self.clock = clock
        self.check = check
    }

    package init(clock: any ServerClock, store: any Store) {
        self.init(clock: clock) { try await store.check() }
    }

    package func isReady() async -> Bool {
        if let running { return await running.value }
        let now = clock.now
        // A clock that was set back would keep an old answer for long.
        if let latest, latest.time <= now, now < latest.time + 1 { return latest.isReady }
        let task = Task { [check] in
            do {
                try await check()
                return true
            } catch {
                return false
            }
        }
        running = task
        let isReady = await task.value
        latest = (isReady, clock.now)
        running = nil
        return isReady
    }
}
#endif
