import AssayTesting
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

/// What the store on PostgreSQL does beside ``StoreTests``, while the database fails.
@Suite(.postgres)
struct PostgresStoreTests {
    private let schema: OwnedSchema

    init() throws { schema = try OwnedSchema() }

    private static let number = "+86-13800000000"

    /// Adds one to a count that it reads before.
    private static func increment(_ store: PostgresStore) async throws {
        try await store.write { transaction in
            let old = try transaction.failures(of: number, on: [1])
            try transaction.save(
                LoginFailures(
                    mobile: number, device: [1], count: (old?.count ?? 0) + 1, locks: 0, lockedUntil: nil, updated: Timestamp(seconds: 1)))
        }
    }

    private static func count(_ store: PostgresStore) async throws -> Int? {
        try await store.read { try $0.failures(of: number, on: [1])?.count }
    }

    private func failure(_ body: () async throws -> Void) async -> StoreFailure.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StoreFailure)?.code
        }
    }

    @Test func eightServersThatStartTogetherMakeTheTablesOnce() async throws {
        let stores = try (0..<8).map { _ in try schema.store() }
        let results = await concurrently(8) { try await stores[$0].check() }
        #expect(results.values().count == 8)
        #expect(try schema.run("SELECT count(*) FROM assay_migrations") == "11")
    }

    /// A server that starts while another one changes large tables.
    @Test func aMigrationWaitsForAnotherOneAndNoRequestWaitsForLong() async throws {
        let lock = "1634956129, hashtext('\(schema.role)')"
        let other = try Self.session("BEGIN; SELECT pg_advisory_xact_lock(\(lock));")
        while try schema.run("SELECT pg_try_advisory_xact_lock(\(lock))") == "t" {}
        let store = try schema.store(time: .milliseconds(200))
        #expect(await failure { try await store.check() } == .unavailable)
        async let prepared: Void = store.prepare()
        try other.close()
        try await prepared
        try await schema.store().check()
    }

    /// - Returns: what keeps another program's session open.
    private static func session(_ sql: String) throws -> FileHandle {
        let process = Process(), input = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/psql")
        process.arguments = ["-q", "-h", TestStore.server ?? "", "-U", "postgres", "postgres"]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
        return input.fileHandleForWriting
    }

    @Test func ofIncrementsAtTwoServersNoneIsLost() async throws {
        let stores = [try schema.store(), try schema.store()]
        let results = await concurrently(200) { try await Self.increment(stores[$0 % 2]) }
        #expect(results.values().count == 200)
        #expect(try await Self.count(stores[0]) == 200)
    }

    /// Each transaction is done once, though the connections end again and again, also while one commits.
    @Test func connectionsThatEndLoseNoTransactionAndRepeatNone() async throws {
        let store = try schema.store()
        try await store.check()
        let ending = Disturbance { try schema.endConnections() }
        let results = await concurrently(300) { _ in try await Self.increment(store) }
        #expect(try await ending.end() > 0)
        #expect(results.values().count == 300)
        #expect(try await Self.count(store) == 300)
    }

    /// The server's process for the connection stands still, as on a machine that hangs.
    @Test func aServerThatStandsStillEndsARequestInItsTime() async throws {
        let store = try schema.store(connections: 1, time: .seconds(3))
        try await store.prepare()
        let process = try schema.processes()
        #expect(process.count == 1)
        try OwnedSchema.signal("STOP", process)
        let started = ContinuousClock.now
        #expect(await failure { try await Self.increment(store) } == .unavailable)
        #expect(.now - started < .seconds(30))
        try OwnedSchema.signal("CONT", process)
        try await Self.increment(store)
        #expect(try await Self.count(store) == 1)
    }

    /// Other programs have taken the connections.
    @Test func aServerWithFewConnectionsHasAnAnswerForEveryRequest() async throws {
        try schema.run("ALTER ROLE \(schema.role) CONNECTION LIMIT 2")
        let store = try schema.store(connections: 8)
        let results = await concurrently(100) { _ in try await Self.increment(store) }
        #expect(results.values().count == 100)
        #expect(try await Self.count(store) == 100)
    }

    @Test func aServerThatIsNotThereIsNotWaitedForLong() async throws {
        let store = try PostgresStore(url: "postgresql:///idaas?host=\(schema.folder.path)", time: .milliseconds(200))
        #expect(await failure { try await store.prepare() } == .unavailable)
        #expect(await failure { try await store.check() } == .unavailable)
    }

    @Test func aClosedStoreRefuses() async throws {
        let store = try schema.store()
        try await store.check()
        store.close()
        #expect(await failure { try await store.check() } == .unavailable)
    }

    @Test func aURLThatCannotBeReadIsRefusedWithoutItsPassword() throws {
        do {
            _ = try PostgresStore(url: "postgresql://user:secret@host:port%zz/database")
            Issue.record("it was read")
        } catch {
            #expect((error as? StoreFailure)?.code == .refused)
            #expect(!"\(error)".contains("secret"))
        }
    }

    @Test func onlyWhoServesMakesTables() async throws {
        let administration = try schema.store(opening: .existing)
        await #expect(throws: DatabaseFailure.self) { try await administration.check() }
        try await schema.store().check()
        try await administration.check()
    }

    // A file's records

    @Test func aFilesStatusListsAreMoved() async throws {
        try FileManager.default.createDirectory(at: schema.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: schema.folder) }
        let (file, now) = (schema.folder.appending(path: "idaas.sqlite").path, Timestamp(seconds: 1_800_000_000))
        let list = StoredStatusList(id: "list", size: 16, opened: now, openUntil: now + .seconds(1), expires: now + .seconds(2))
        try await SQLiteStore(path: file).write { store in
            try store.save(list)
            try store.add([StatusDecoy(index: 3, since: now), StatusDecoy(index: 9, since: now + .seconds(1))], to: "list")
        }
        #expect(try await StoreMove.run(from: file, to: schema.url) == 3)
        try await schema.store().read { store throws in
            #expect(try store.statusList("list") == list)
            #expect(try store.statuses(of: list, at: now).bytes == [8, 0])
            #expect(try store.statuses(of: list, at: now + .seconds(1)).bytes == [8, 2])
        }
    }

    @Test func aFilesStreamsAndWaitingSignalsAreMoved() async throws {
        try FileManager.default.createDirectory(at: schema.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: schema.folder) }
        let (file, now) = (schema.folder.appending(path: "idaas.sqlite").path, Timestamp(seconds: 1_800_000_000))
        let stream = SignalStream(
            id: "s", name: "S", audience: "a", delivery: .push(url: "https://s.example/", sealedSecret: [1, 2]), created: now)
        let signals = ["a", "b"].map { Signal(.sessionRevoked(user: "u", session: $0, by: .user), at: now) }
        let pause = SignalPause(failures: 2, ends: now)
        try await SQLiteStore(path: file).write { store in
            try store.save(stream)
            for signal in signals { try store.add(signal) }
            try store.pause("s", pause)
        }
        #expect(try await StoreMove.run(from: file, to: schema.url) == 4)
        try await schema.store().read { store throws in
            #expect(try store.signalStreams() == [stream])
            #expect(try store.signalPause(of: "s") == pause)
            #expect(try store.signals(of: "s", at: now, limit: 9).map(\.signal) == signals)
        }
    }

    @Test func aFilesAuditEventsAreMovedWithTheirNumbers() async throws {
        try FileManager.default.createDirectory(at: schema.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: schema.folder) }
        let file = schema.folder.appending(path: "idaas.sqlite").path
        let events = (1...3).map { ordinal in
            AuditEvent(
                time: Timestamp(seconds: Int64(ordinal)), action: .smsLogin, outcome: "ok", requestID: "r\(ordinal)", client: nil,
                subject: nil, userID: nil, sessionID: nil, address: nil)
        }
        let origin = try SQLiteStore(path: file)
        try await AuditBatch(events, of: "a").write(to: origin)
        try await origin.write { _ = try $0.removeAuditEvents(before: Timestamp(seconds: 2), limit: 9) }
        let kept = try await origin.read { try $0.auditEvents(after: 0, limit: 9) }
        #expect(kept.map(\.number) == [2, 3])
        #expect(try await StoreMove.run(from: file, to: schema.url) == 2)
        let store = try schema.store()
        try await AuditBatch([events[0]], of: "b").write(to: store)
        let moved = try await store.read { try $0.auditEvents(after: 0, limit: 9) }
        #expect(moved == kept + [StoredAuditEvent(number: 4, server: "b", line: events[0].line)])
        // An event is a record.
        #expect(await failure { _ = try await StoreMove.run(from: file, to: schema.url) } == .refused)
    }

    /// Events are written while the connections end again and again.
    @Test func auditEventsAreNeitherLostNorRepeatedWhereConnectionsEnd() async throws {
        let stores = [try schema.store(), try schema.store()]
        try await stores[0].check()
        let ending = Disturbance { try schema.endConnections() }
        let results = await concurrently(100) { place in
            let event = AuditEvent(
                time: Timestamp(seconds: 1), action: .smsLogin, outcome: "ok", requestID: "r\(place)", client: nil, subject: nil,
                userID: nil, sessionID: nil, address: nil)
            try await AuditBatch([event], of: "a\(place % 2)").write(to: stores[place % 2])
        }
        #expect(try await ending.end() > 0)
        #expect(results.values().count == 100)
        let events = try await stores[0].read { try $0.auditEvents(after: 0, limit: 999) }
        #expect(events.map(\.number) == Array(1...100) && Set(events.map(\.line)).count == 100)
    }

    // Rolling upgrades

    /// A server of the version before may go on beside one that writes audit events.
    @Test func theVersionBeforeMayUseTheTablesOfAuditEvents() async throws {
        try await schema.store().check()
        #expect(try schema.run("SELECT usable_since FROM assay_migrations WHERE name = '10 audit events'") == "9 shared signals")
    }

    @Test(arguments: [("10 audit events", true), ("12 something later", false)])
    func aLaterVersionSaysWhetherThisOneMayGoOn(_ usableSince: String, _ works: Bool) async throws {
        let running = try schema.store(connections: 1)
        try await running.check()
        try schema.run("INSERT INTO assay_migrations (name, usable_since) VALUES ('12 something later', '\(usableSince)')")
        let starting = try schema.store()
        do {
            try await starting.check()
            #expect(works)
        } catch let error as DatabaseFailure {
            #expect(!works && error.code == .newer)
        }
        // A server that runs already looks again with its next connection.
        try await running.check()
        #expect(try schema.endConnections() > 0)
        do {
            try await running.check()
            #expect(works)
        } catch let error as DatabaseFailure {
            #expect(!works && error.code == .newer)
        }
    }

    // An installation that was a file

    @Test func everyRecordOfAFileMovesAndTheFileStays() async throws {
        try FileManager.default.createDirectory(at: schema.folder, withIntermediateDirectories: true)
        let path = schema.folder.appending(path: "idaas.sqlite").path
        let file = try SQLiteStore(path: path)
        let users = (0..<2_500).map { number in
            User(
                id: "u\(number)", mobile: "+86-138\(10_000_000 + number)", name: "名\(number)", userName: nil, email: nil, testCode: nil,
                isLocked: number % 2 == 0, created: Timestamp(seconds: 1), lastLogin: nil)
        }
        let client = Client(id: "c", name: "C", settings: ClientSettings(), signatureKey: nil, created: Timestamp(seconds: 1))
        try await file.write { store in
            for user in users { try store.save(user) }
            try store.save(client)
            try store.record(Limit.Scope(rawValue: "send.number"), Self.number, at: Timestamp(seconds: 3))
        }
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(try await StoreMove.run(from: path, to: schema.url) > 2_501)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        let store = try schema.store()
        try await store.read { store throws in
            #expect(try store.users(after: nil, limit: 9_999).sorted { $0.mobile < $1.mobile } == users)
            #expect(try store.clients() == [client])
            #expect(try store.events(of: Self.number).map(\.time) == [Timestamp(seconds: 3)])
        }
        // Never into records.
        #expect(await failure { _ = try await StoreMove.run(from: path, to: schema.url) } == .refused)
    }

    // Poisoned records

    @Test func aRecordThatAnotherProgramSpoiledIsAnErrorOfOneRequest() async throws {
        let store = try schema.store()
        try await Self.increment(store)
        try schema.run("ALTER TABLE failures ALTER count DROP NOT NULL; UPDATE failures SET count = NULL")
        #expect(await failure { _ = try await Self.count(store) } == .malformedRecord)
        try schema.run("UPDATE failures SET count = 7")
        #expect(try await Self.count(store) == 7)
    }
}
