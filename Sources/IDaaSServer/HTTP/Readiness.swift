internal import Foundation

/// Whether the server can answer requests. It checks at most once a second and once at a time: a check is a transaction that waits for the
/// disk, and anybody can request it.
package actor Readiness {
    /// What a server cannot answer without.
    package enum Requirement: String, Sendable, CaseIterable {
        /// The store reads and writes.
        case database
        case diskSpace = "disk_space"
    }

    private let clock: any ServerClock
    private let check: @Sendable () async -> Requirement?
    private var latest: (missing: Requirement?, time: Timestamp)?
    private var running: Task<Requirement?, Never>?

    /// - Parameter check: says what is missing.
    package init(clock: any ServerClock, check: @Sendable @escaping () async -> Requirement?) {
        self.clock = clock
        self.check = check
    }

    /// - Parameters:
    ///   - path: a file on the store's file system; nil for a store that is not on this machine.
    ///   - minimumFreeBytes: with fewer free bytes, the next writes may fail.
    package init(clock: any ServerClock, store: any Store, path: String?, minimumFreeBytes: Int) {
        self.init(clock: clock) {
            if let path, Self.freeBytes(at: path) < minimumFreeBytes { return .diskSpace }
            do {
                try await store.check()
                return nil
            } catch {
                return .database
            }
        }
    }

    /// 0 where the file system does not say.
    private static func freeBytes(at path: String) -> Int {
        let free = (try? FileManager.default.attributesOfFileSystem(forPath: path))?[.systemFreeSize]
        // A Swift integer on Linux, an NSNumber on Darwin.
        return (free as? any BinaryInteger).map { Int(clamping: $0) } ?? (free as? NSNumber)?.intValue ?? 0
    }

    /// - Returns: the first thing that is missing; nil if the server is ready.
    package func missing() async -> Requirement? {
        if let running { return await running.value }
        let now = clock.now
        // After the clock was set back, an old answer would stay for long.
        if let latest, latest.time <= now, now < latest.time + .seconds(1) { return latest.missing }
        let task = Task { [check] in await check() }
        running = task
        let missing = await task.value
        latest = (missing, clock.now)
        running = nil
        return missing
    }
}
