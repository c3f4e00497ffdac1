#if Gateway
internal import Gateway
internal import JWTCore
internal import Locks
internal import Logging
internal import ReplayMemory
internal import SharedReplayMemory

/// The memory of uses of this process. It is made for the first configuration with tokens that pass once, and then kept.
final class ServiceReplays: Sendable {
    private let logger: Logger
    private let counts = ReplayCounts()
    private let made = Locked(Made())

    private struct Made: Sendable {
        var memory: (any ReplayMemory)?
        /// The memory, if it is in this process.
        var table: ReplayTable?
        var settings: ReplaySettings?
    }

    init(logger: Logger) { self.logger = logger }

    /// Those of the memory; nil before there is one.
    var settings: ReplaySettings? { made.withLock(\.settings) }

    /// - Parameter configuration: for which it is asked.
    /// - Returns: nil if none of its tokens pass once.
    /// - Throws: `SettingsFailure` for certificates that cannot be read.
    func memory(for configuration: ServiceConfiguration) throws(SettingsFailure) -> (any ReplayMemory)? {
        guard configuration.decisions.countsUses else { return nil }
        if let memory = made.withLock(\.memory) { return memory }
        do throws(ReplayMemoryError) {
            var memory = try make(configuration.replay)
            memory.settings = configuration.replay
            // Two reloads never run at once.
            made.withLock { $0 = memory }
            return memory.memory
        } catch {
            throw SettingsFailure([SettingsFault(line: 0, .invalidValue, "`replay`: \(error.description)")])
        }
    }

    private func make(_ settings: ReplaySettings) throws(ReplayMemoryError) -> Made {
        switch settings.place {
        case .memory(let entries):
            let table = ReplayTable(entries: entries)
            return Made(memory: counted(table), table: table)
        case .database(let url):
            return Made(
                memory: counted(try PostgresReplayMemory(url: url, connections: settings.connections, time: settings.timeLimit)))
        case .valkey(let server):
            return Made(
                memory: counted(try ValkeyReplayMemory(server, connections: settings.connections, time: settings.timeLimit)))
        }
    }

    private func counted(_ memory: some ImmediateReplayMemory) -> any ReplayMemory {
        CountedReplayMemory(memory: memory, counts: counts, logger: logger)
    }

    private func counted(_ memory: some ReplayMemory) -> any ReplayMemory {
        CountedReplayMemory(memory: memory, counts: counts, logger: logger)
    }

    /// Adds what metrics have of it; nothing before there is a memory.
    func append(to samples: inout SampleText, now: NumericDate) {
        let made = made.withLock { $0 }
        guard made.memory != nil else { return }
        counts.append(to: &samples, entries: made.table.map { ($0.count(at: now), $0.entries) })
    }
}
#endif
