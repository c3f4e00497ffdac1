internal import Foundation

/// Whether the server can answer requests. It checks at most once a second and once at a time: a check is a transaction that waits for the
/// disk, and anybody can request it.
package actor Readiness {
    private let clock: any ServerClock
    private let check: @Sendable () async throws -> Void
    private var latest: (isReady: Bool, time: Timestamp)?
    private var running: Task<Bool, Never>?

    /// - Parameter check: throws if the server cannot answer.
    package init(clock: any ServerClock, check: @Sendable @escaping () async throws -> Void) {
        self.clock = clock
        self.check = check
    }

    /// - Parameters:
    ///   - path: a file on the store's file system.
    ///   - minimumFreeBytes: with fewer free bytes, the next writes may fail.
    package init(clock: any ServerClock, store: any Store, path: String, minimumFreeBytes: Int) {
        self.init(clock: clock) {
            // A Swift integer on Linux, an NSNumber on Darwin.
            let free = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize]
            let bytes = (free as? any BinaryInteger).map { Int(clamping: $0) } ?? (free as? NSNumber)?.intValue ?? 0
            guard bytes >= minimumFreeBytes else { throw CocoaError(.fileWriteOutOfSpace) }
            try await store.check()
        }
    }

    package func isReady() async -> Bool {
        if let running { return await running.value }
        let now = clock.now
        // After the clock was set back, an old answer would stay for long.
        if let latest, latest.time <= now, now < latest.time + .seconds(1) { return latest.isReady }
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
