import AssayTesting
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Locks
import Testing

/// A database that is slow, or has no room: an error of one request, and nothing that was answered is lost.
@Suite(.postgres)
struct PostgresTroubleTests {
    private let schema: OwnedSchema
    /// A thousand transactions wait for four connections, also on a busy machine.
    private static let patience = Duration.seconds(120)

    init() throws { schema = try OwnedSchema() }

    private static func number(_ place: Int) -> String { "+86-138\(10_000_000 + place)" }

    private static func save(_ place: Int, _ store: PostgresStore) async throws {
        try await store.write {
            try $0.save(
                LoginFailures(
                    mobile: number(place), device: [1], count: 1, locks: 0, lockedUntil: nil, updated: Timestamp(seconds: 1)))
        }
    }

    /// Saves many records, and checks that exactly those that were acknowledged are there.
    ///
    /// - Returns: how many were, and the failures of the others.
    private func saveMany(_ places: Range<Int>, _ store: PostgresStore) async throws -> (saved: Int, failures: Set<StoreFailure.Code>) {
        let saved = Locked<Set<String>>([]), failures = Locked<Set<StoreFailure.Code>>([])
        _ = await concurrently(places.count) { place throws in
            do {
                try await Self.save(places.lowerBound + place, store)
                saved.withLock { _ = $0.insert(Self.number(places.lowerBound + place)) }
            } catch let error as StoreFailure {
                failures.withLock { _ = $0.insert(error.code) }
            }
        }
        let range = "'\(Self.number(places.lowerBound))' AND '\(Self.number(places.upperBound - 1))'"
        let there = try schema.run("SELECT mobile FROM failures WHERE mobile BETWEEN \(range)").split(separator: "\n").map(String.init)
        #expect(Set(there) == saved.withLock { $0 })
        return (there.count, failures.withLock { $0 })
    }

    @Test(.enabled("this user may mount a file system") { SmallDisk.isPossible })
    func aFullDiskRefusesWritesAndLosesNothing() async throws {
        let disk = try SmallDisk(), space = "s\(schema.role)"
        defer { disk.remove() }
        try TestStore.runAlone("CREATE TABLESPACE \(space) LOCATION '\(disk.path)'")
        try TestStore.runAlone("GRANT CREATE ON TABLESPACE \(space) TO \(schema.role)")
        let store = try PostgresStore(url: schema.url + "%20-cdefault_tablespace%3D\(space)", connections: 4, time: Self.patience)
        try await Self.save(0, store)
        try schema.run("CREATE TABLE filler (content TEXT) TABLESPACE \(space)")
        while (try? schema.run("INSERT INTO filler SELECT repeat('x', 1900) FROM generate_series(1, 20)")) != nil {}
        let full = try await saveMany(1..<1_000, store)
        #expect(full.saved < 999 && full.failures == [.unavailable])
        // What is there can be read.
        #expect(try await store.read { try $0.failures(of: Self.number(0), on: [1])?.count } == 1)
        try schema.run("DROP TABLE filler")
        let room = try await saveMany(1_000..<1_100, store)
        #expect(room.saved == 100 && room.failures.isEmpty)
        store.close()
        try schema.run("DROP SCHEMA \(schema.role) CASCADE")
        try TestStore.runAlone("DROP TABLESPACE \(space)")
    }

    /// The processes of the database stand still half of the time.
    @Test func aSlowDatabaseDelaysAndLosesNothing() async throws {
        let store = try PostgresStore(url: schema.url, connections: 4, time: Self.patience)
        try await Self.save(0, store)
        let slowing = Disturbance {
            let processes = try schema.processes()
            try OwnedSchema.signal("STOP", processes)
            // Another program's connection takes some tens of milliseconds, and so does the list of processes.
            try schema.run("SELECT 1")
            try OwnedSchema.signal("CONT", processes)
            return 1
        }
        let slow = try await saveMany(1..<200, store)
        #expect(try await slowing.end() > 0)
        #expect(slow.saved == 199 && slow.failures.isEmpty)
    }
}
