internal import Synchronization

/// What happens to several servers and their database while users log in.
enum Disturbance {
    case killedServers
    /// The database ends its connections and comes back.
    case restartedDatabase
    /// The database loses what it did not write to its disk.
    case killedDatabase
    /// The database does not come back: its replica takes over. Only once.
    case failover

    /// Of rounds: the last one has the failover.
    static func of(_ round: Int, of rounds: Int) -> Disturbance {
        if round == rounds - 1 { return .failover }
        return [.killedServers, .restartedDatabase, .killedDatabase][round % 3]
    }

    /// Kills a server every other second until `body` ends, and the database once.
    func run(_ installation: Installation, while body: @Sendable @escaping () async -> Void) async throws {
        let end = End()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await body()
                end.isReached.store(true, ordering: .releasing)
            }
            group.addTask {
                var turn = 0
                while !end.isReached.load(ordering: .acquiring) {
                    if turn % 20 == 10 { try await installation.replaceOne() }
                    if turn == 15 { try strike(installation.database) }
                    turn += 1
                    try await Task.sleep(for: .milliseconds(100))
                }
                // Short rounds have it too.
                if turn <= 15 { try strike(installation.database) }
            }
            try await group.waitForAll()
        }
    }

    private func strike(_ database: Database) throws {
        switch self {
        case .killedServers: break
        case .restartedDatabase:
            try database.order("restart")
        case .killedDatabase:
            try database.order("kill")
            try database.order("start")
        case .failover: try database.order("promote")
        }
    }
}

/// Whether the users are through.
private final class End: Sendable {
    let isReached = Atomic(false)
}
