import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import Locks
import Testing

/// The audit events of several servers, in their store; scripts/test.sh runs it on both engines.
struct AuditStreamTests {
    private let domain: Domain
    private let metrics = TextMetrics()
    private let log = LogCapture()

    init() async throws { domain = try await Domain() }

    private func queue(
        _ server: String = "a", store: (any Store)? = nil, _ change: (inout AuditQueue.Limits) -> Void = { _ in }
    ) -> AuditQueue {
        var limits = AuditQueue.Limits()
        (limits.pause, limits.pauseAfterFailure) = (.zero, .zero)
        change(&limits)
        return AuditQueue(
            store: store ?? domain.store, server: server, metrics: AuditMetrics(metrics), logger: log.logger(), limits: limits)
    }

    private func event(_ ordinal: Int, at time: Timestamp? = nil) -> AuditEvent {
        AuditEvent(
            time: time ?? domain.clock.now, action: .smsLogin, outcome: "ok", requestID: "r\(ordinal)", client: "demo",
            subject: "+86-138****0000", userID: nil, sessionID: nil, address: "192.0.2.1")
    }

    /// The ordinals of stored events.
    private static func ordinals(_ events: some Sequence<StoredAuditEvent>) throws -> [Int] {
        try events.map { event in
            let name = try #require(try event.members.first { $0.name == "request_id" }?.value)
            return try #require(Int(name.dropFirst()))
        }
    }

    private func stored() async throws -> [StoredAuditEvent] {
        var reader = AuditReader(store: domain.store), events: [StoredAuditEvent] = []
        while true {
            let page = try await reader.next()
            events += page.events
            if !page.isFull { return events }
        }
    }

    private func count(_ text: String) -> Int { log.lines.count { $0.contains(text) } }

    // One stream

    @Test
    func aReaderThatFollowsSeesEachEventOfThreeServersOnceAndInOrder() async throws {
        let stores = try (0..<3).map { _ in try TestStore.open(in: domain.folder) { _ in } }
        defer { for store in stores { store.close() } }
        let queues = zip(["a", "b", "c"], stores).map { name, store in queue(name, store: store) { $0.batch = 16 } }
        let running = queues.map { queue in Task { await queue.run() } }
        let total = 3 * 200
        async let read = follow(until: total)
        _ = await concurrently(3) { place in
            for ordinal in 1...200 {
                queues[place].record(event(ordinal))
                if ordinal % 9 == 0 { await Task.yield() }
            }
        }
        let events = try await read
        for task in running { task.cancel() }
        for task in running { await task.value }
        #expect(events.map(\.number) == Array(1...total))
        for server in ["a", "b", "c"] { #expect(try Self.ordinals(events.filter { $0.server == server }) == Array(1...200)) }
        #expect(metrics.text.contains("idaas_audit_recorded_total \(total)\n"))
        #expect(metrics.text.contains("idaas_audit_waiting 0\n") && !metrics.text.contains("_lost_"))
    }

    /// Reads while others write. Each page goes on where the last one ended.
    private func follow(until count: Int) async throws -> [StoredAuditEvent] {
        var reader = AuditReader(store: domain.store), events: [StoredAuditEvent] = []
        while events.count < count {
            let page = try await reader.next()
            #expect(page.deleted == 0)
            events += page.events
            #expect(events.last?.number ?? 0 == events.count)
        }
        return events
    }

    @Test
    func aStoredEventIsTheLineOfAFileWithItsNumberAndServer() async throws {
        let queue = queue("idaas-1.example")
        queue.record(event(1))
        #expect(await queue.write())
        let stored = try #require(try await stored().first)
        #expect(stored.line == event(1).line && stored.server == "idaas-1.example")
        #expect(try stored.text == #"{"number":1,"server":"idaas-1.example","# + event(1).line.dropFirst())
        #expect(try stored.members.map(\.name) == ["time", "event", "outcome", "request_id", "client", "subject", "address"])
    }

    @Test(arguments: ["", "[]", "{\"a\":1}", "{\"a\":"])
    func aLineThatAnotherProgramSpoiledIsAnError(_ line: String) {
        let failure = #expect(throws: StoreFailure.self) { try StoredAuditEvent(number: 1, server: "a", line: line).text }
        #expect(failure?.code == .malformedRecord)
    }

    @Test
    func aNumberThatNoEventHasHadIsAnErrorOfTheReader() async throws {
        try await AuditBatch([event(1), event(2)], of: "a").write(to: domain.store)
        var reader = AuditReader(store: domain.store, after: 2)
        let end = try await reader.next()
        #expect(end.events.isEmpty && end.deleted == 0 && !end.isFull)
        var other = AuditReader(store: domain.store, after: 3)
        await #expect(throws: AdministrationFailure.unknownAuditNumber) { try await other.next() }
    }

    // Trouble

    @Test
    func anEventThatFindsNoPlaceIsLostCountedAndLoggedOnce() async throws {
        let queue = queue { $0.waiting = 2 }
        for ordinal in 1...5 { queue.record(event(ordinal)) }
        #expect(metrics.text.contains("idaas_audit_lost_total 3\n") && count("audit events are lost") == 1)
        #expect(await queue.write())
        for ordinal in 6...8 { queue.record(event(ordinal)) }
        #expect(metrics.text.contains("idaas_audit_lost_total 4\n") && count("audit events are lost") == 2)
        #expect(await queue.write())
        #expect(try Self.ordinals(await stored()) == [1, 2, 6, 7])
    }

    @Test
    func whileTheDatabaseIsDownEventsWaitAndThenComeInTheirOrder() async throws {
        let isDown = Locked(true)
        let queue = queue(store: SilentStore(domain.store, isDown)) { $0.batch = 2 }
        for ordinal in 1...3 { queue.record(event(ordinal)) }
        let tries = [await queue.write(), await queue.write()]
        #expect(tries == [false, false])
        #expect(metrics.text.contains("idaas_audit_failures_total{sink=\"database\"} 2\n"))
        #expect(metrics.text.contains("idaas_audit_waiting 3\n") && count("cannot be written") == 1)
        isDown.withLock { $0 = false }
        let running = Task { await queue.run() }
        queue.record(event(4))
        running.cancel()
        await running.value
        #expect(try Self.ordinals(await stored()) == [1, 2, 3, 4])
        #expect(count("written to the database again") == 1 && !metrics.text.contains("_lost_"))
    }

    @Test
    func aServerThatStopsWritesWhatWaitsAndTakesNoMore() async throws {
        let queue = queue { $0.batch = 2 }
        for ordinal in 1...5 { queue.record(event(ordinal)) }
        await queue.drain()
        queue.record(event(6))
        #expect(try Self.ordinals(await stored()) == [1, 2, 3, 4, 5])
        #expect(metrics.text.contains("idaas_audit_lost_total 1\n"))
    }

    @Test
    func aServerThatStopsDoesNotWaitForADatabaseThatIsDown() async throws {
        let queue = queue(store: SilentStore(domain.store, Locked(true)))
        for ordinal in 1...5 { queue.record(event(ordinal)) }
        await queue.drain()
        #expect(metrics.text.contains("idaas_audit_lost_total 5\n") && metrics.text.contains("idaas_audit_waiting 0\n"))
        #expect(count("\"count\":\"5\"") == 1)
        #expect(try await stored().isEmpty)
    }

    /// The database went away while it committed. It did, or it did not, and then another server has the numbers.
    @Test(arguments: [true, false])
    func aTransactionWhoseOutcomeIsUnknownIsNeitherLostNorDoneTwice(_ isDone: Bool) async throws {
        let queue = queue(store: OutcomelessStore(domain.store, commits: isDone))
        for ordinal in 1...2 { queue.record(event(ordinal)) }
        #expect(await !queue.write())
        try await AuditBatch([event(8), event(9)], of: "b").write(to: domain.store)
        queue.record(event(3))
        await queue.drain()
        let stored = try await stored()
        #expect(stored.map(\.number) == Array(1...5))
        #expect(try Self.ordinals(stored.filter { $0.server == "a" }) == [1, 2, 3])
        #expect(try Self.ordinals(stored.filter { $0.server == "b" }) == [8, 9])
        #expect(metrics.text.contains("idaas_audit_recorded_total 3\n"))
    }

    // Retention

    @Test
    func eventsAreDeletedWhenTheyAreTooOldAndTheirNumbersDoNotComeAgain() async throws {
        var environment = domain.services.environment.value
        environment.auditMemory = .seconds(86_400)
        let services = Services(environment), start = domain.clock.now
        try await AuditBatch((1...2_500).map { event($0, at: start) }, of: "a").write(to: domain.store)
        try await AuditBatch([event(1, at: start + .seconds(1))], of: "b").write(to: domain.store)
        domain.clock.advance(by: 86_400)
        try await services.maintain()
        #expect(try await stored().count == 2_501)
        domain.clock.advance(by: 1)
        try await services.maintain()
        #expect(try await stored().map(\.number) == [2_501])
        domain.clock.advance(by: 1)
        try await services.maintain()
        var reader = AuditReader(store: domain.store, after: 2_499)
        let end = try await reader.next()
        #expect(end.events.isEmpty && end.deleted == 0 && !end.isFull)
        try await AuditBatch([event(2)], of: "b").write(to: domain.store)
        let page = try await reader.next()
        #expect(page.events.map(\.number) == [2_502] && page.deleted == 2)
    }

    @Test
    func aServerWithoutTheSettingDeletesNone() async throws {
        try await AuditBatch([event(1, at: Timestamp(seconds: 0))], of: "a").write(to: domain.store)
        try await domain.services.maintain()
        #expect(try await stored().count == 1)
    }
}

/// A store that does not say what became of its first writing transaction.
private struct OutcomelessStore: Store {
    private let store: any Store
    private let commits: Bool
    private let isFirst = Locked(true)

    init(_ store: any Store, commits: Bool) {
        self.store = store
        self.commits = commits
    }

    private struct Undone: Error {}

    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        guard isFirst else { return try await store.write(body) }
        _ = try? await store.write { [commits] store in
            let value = try body(store)
            if !commits { throw Undone() }
            return value
        }
        throw StoreFailure(.outcomeUnknown)
    }

    func backUp(to path: String) async throws { try await store.backUp(to: path) }

    func check() async throws { try await store.check() }

    var signals: SignalBell { store.signals }
}
