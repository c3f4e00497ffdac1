import Foundation
import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import JWTTestSupport
import Locks
import Logging
import Testing

struct AuditTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_709_164_799_999, "2024-02-28T23:59:59.999Z"),
            (1_709_210_096_007, "2024-02-29T12:34:56.007Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func instantsAreWrittenAsRFC3339HasThem(milliseconds: Int64, text: String) {
        #expect(ISOTime.text(Timestamp(milliseconds: milliseconds)) == text)
    }

    @Test
    func aLogLineIsOneJSONObjectWithoutAFullNumber() throws {
        let capture = LogCapture()
        var logger = capture.logger(clock: ManualServerClock(Timestamp(seconds: 0)))
        logger[metadataKey: "request_id"] = "1234567890"
        logger.warning("sent to\n+86-13800001234", metadata: ["who": "13800001234"])
        let line = try #require(capture.lines.first)
        #expect(line.hasSuffix("\n") && !line.dropLast().contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(
            object == [
                "time": "1970-01-01T00:00:00.000Z", "level": "warning", "logger": "idaas", "message": "sent to\n+86-138****1234",
                "who": "138****1234", "request_id": "1234567890",
            ])
    }

    @Test
    func theAuditTrailRotatesItsFiles() async throws {
        let trail = try Trail(keep: 2)
        for _ in 0..<10 { await trail.record() }
        #expect(try (trail.count(""), trail.count(".1"), trail.count(".2")) == (1, 3, 3))
        #expect(!FileManager.default.fileExists(atPath: trail.path + ".3"))
        let mode = try FileManager.default.attributesOfItem(atPath: trail.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)

        let again = try AuditLog(path: trail.path, rotateBytes: 1 << 20, keep: 2)
        await again.record(Trail.event)
        #expect(try trail.count("") == 2)
    }

    @Test
    func aFailedRotationLosesNoEventAndNoFile() async throws {
        let trail = try Trail(keep: 2)
        for _ in 0..<10 { await trail.record() }
        let kept = try trail.count(".1") + trail.count(".2") + trail.count("")
        // The new file cannot replace a directory at its own name, nor one at the name of the oldest file.
        for blocked in [".next", ".2"] {
            let aside = trail.path + ".aside"
            if blocked == ".2" { try FileManager.default.moveItem(atPath: trail.path + blocked, toPath: aside) }
            try FileManager.default.createDirectory(atPath: trail.path + blocked, withIntermediateDirectories: false)
            let failures = trail.failures
            for _ in 0..<7 { await trail.record() }
            #expect(trail.failures > failures)
            try FileManager.default.removeItem(atPath: trail.path + blocked)
            if blocked == ".2" { try FileManager.default.moveItem(atPath: aside, toPath: trail.path + blocked) }
        }
        #expect(try trail.count(".1") + trail.count(".2") + trail.count("") == kept + 14)
        let failures = trail.failures
        await trail.record()
        #expect(try trail.count("") == 1 && trail.failures == failures)
    }

    /// If another process removed the file, the next rotation creates it again and deletes no old file.
    @Test
    func removedFile() async throws {
        let trail = try Trail(keep: 1)
        for _ in 0..<6 { await trail.record() }
        try FileManager.default.removeItem(atPath: trail.path)
        await trail.record()
        #expect(try (trail.count(""), trail.count(".1")) == (1, 3) && trail.failures == 0)
    }

    /// An audit log in its own directory, with three events per file.
    private final class Trail: Sendable {
        let path: String
        private let log: AuditLog
        private let folder: TemporaryFolder
        private let failed = Locked(0)
        static let event = AuditEvent(
            time: Timestamp(seconds: 0), action: .smsSend, outcome: "ok", requestID: "r", client: "demo", subject: "138****1234",
            userID: nil, sessionID: nil, address: "192.0.2.1")

        init(keep: Int) throws {
            folder = try TemporaryFolder()
            path = folder.path + "/audit.jsonl"
            log = try AuditLog(path: path, rotateBytes: 3 * (Self.event.line.utf8.count + 1), keep: keep) { [failed] _ in
                failed.withLock { $0 += 1 }
            }
        }

        var failures: Int { failed.withLock { $0 } }

        func record() async { await log.record(Self.event) }

        func count(_ suffix: String) throws -> Int {
            try String(contentsOfFile: path + suffix, encoding: .utf8).split(separator: "\n").count
        }
    }

    /// Administers with an audit file, and reads its content.
    private func events(
        _ body: (Services, AdministrationAudit) async throws -> Void
    ) async throws -> [[String: String]] {
        var configuration = ServerConfiguration()
        configuration.database = folder.path + "/idaas.sqlite"
        configuration.audit.file = folder.path + "/audit.jsonl"
        let clock = ManualServerClock(Timestamp(seconds: 0))
        let services = Services(
            try ServiceEnvironment(
                configuration: configuration, issuer: "", clock: clock, gateway: DevelopmentOutbox(),
                environment: [ServerKey.variable: String(repeating: "5a", count: 32)]))
        let sink = try configuration.administrationSink(services.store) { Issue.record("\($0)") }
        try await body(services, AdministrationAudit(sink: sink, clock: clock, account: "operator"))
        return try String(contentsOfFile: configuration.audit.file, encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
        }
    }

    /// An administration operation leaves one event with subject, account and outcome, with the number masked.
    @Test
    func eachOperationOfAnAdministratorLeavesOneEvent() async throws {
        var id = ""
        let events = try await events { services, audit in
            let administration = services.administration
            let user = try await administration.addUser(mobile: "+86-13800001234")
            id = user.id
            for reference in ["13800001234", user.id] {
                try await audit.record(.adminUserLock) { trail in
                    await administration.note(reference, on: trail)
                    try await administration.lockUser(reference)
                }
            }
            await #expect(throws: AdministrationFailure.unknownUser) {
                try await audit.record(.adminUserDelete) { trail in
                    await administration.note("8613800009999", on: trail)
                    try await administration.deleteUser("8613800009999")
                }
            }
            try await audit.record(.adminClientRemove) { $0.note(client: "a\nb 13800001234") }
        }
        let time = "1970-01-01T00:00:00.000Z"
        let lock = [
            "time": time, "event": "admin.user.lock", "outcome": "ok", "subject": "+86-138****1234", "user": id, "account": "operator",
        ]
        let deletion = [
            "time": time, "event": "admin.user.delete", "outcome": "unknownUser", "subject": "861****9999", "account": "operator",
        ]
        let removal = ["time": time, "event": "admin.client.remove", "outcome": "ok", "client": "ab138****1234", "account": "operator"]
        #expect(events == [lock, lock, deletion, removal])
    }

    /// In the file and in the database, when the operation ends.
    @Test
    func anOperationLeavesTheSameEventInTheStreamOfAllServers() async throws {
        var configuration = ServerConfiguration()
        configuration.audit.file = folder.path + "/audit.jsonl"
        configuration.audit.database = true
        configuration.audit.server = "idaas-1"
        let store = try SQLiteStore(path: folder.path + "/idaas.sqlite")
        let sink = try configuration.administrationSink(store) { Issue.record("\($0)") }
        let audit = AdministrationAudit(sink: sink, clock: ManualServerClock(), account: "operator")
        try await audit.record(.adminUserLock) { $0.note(mobile: "+86-13800001234") }
        let stored = try await store.read { try $0.auditEvents(after: 0, limit: 9) }
        #expect(stored.map(\.line) == [String(decoding: folder.bytes("audit.jsonl").dropLast(), as: UTF8.self)])
        #expect(stored.map(\.server) == ["idaas-1"] && !stored[0].line.contains("13800001234"))
    }

    @Test
    func anOperationWhoseEventTheDatabaseRefusesSaysSo() async throws {
        var configuration = ServerConfiguration()
        configuration.audit.database = true
        let store = try SQLiteStore(path: folder.path + "/idaas.sqlite"), said = Locked<[String]>([])
        let sink = try configuration.administrationSink(SilentStore(store, Locked(true))) { text in said.withLock { $0.append(text) } }
        try await AdministrationAudit(sink: sink, clock: ManualServerClock()).record(.adminKeysRotate) { _ in }
        #expect(said.withLock { $0 }.count == 1 && said.withLock { $0 }[0].contains("store_unavailable"))
    }

    /// A server with a file and the database, until it has stopped.
    @Test
    func aServersStreamHasTheLinesOfItsFile() async throws {
        let server = try await LiveServer(ownsDirectory: false) {
            $0.audit.database = true
            $0.audit.server = "idaas-1"
        }
        defer { try? FileManager.default.removeItem(at: server.directory) }
        let tokens = try await server.logIn()
        _ = try await server.wire().logOut(tokens.sessionToken)
        _ = try await server.wire().logOut("no-session-token")
        try await server.stopKeepingFiles()
        let store = try TestStore.open(in: server.directory) { _ in }
        let stored = try await store.read { try $0.auditEvents(after: 0, limit: 99) }
        #expect(stored.count > 4 && stored.map(\.line) == server.auditLines)
        #expect(stored.map(\.number) == Array(1...stored.count) && Set(stored.map(\.server)) == ["idaas-1"])
        #expect(!stored.contains { $0.line.contains(tokens.sessionToken) })
        store.close()
    }

    @Test(arguments: ["idaas 1", "a\nb", "名", String(repeating: "a", count: 65), "\"", "a/b"])
    func theNameOfAServerIsPlain(_ name: String) {
        var configuration = ServerConfiguration()
        configuration.audit.server = name
        #expect(throws: ConfigurationError.self) { try configuration.checkValues() }
    }

    @Test
    func withoutANameAServerHasThatOfItsMachine() {
        var settings = ServerConfiguration.AuditSettings()
        #expect((1...64).contains(settings.serverName.utf8.count))
        settings.server = "idaas-1"
        #expect(settings.serverName == "idaas-1")
    }

    /// Without an audit file administration records nothing; with an unopenable file it does not start.
    @Test
    func anAuditFileThatCannotBeOpenedIsAnError() async throws {
        var configuration = ServerConfiguration()
        let store = try SQLiteStore(path: folder.path + "/idaas.sqlite")
        #expect(try configuration.administrationSink(store) { _ in } is NoAudit)
        configuration.audit.file = "/nowhere/audit.jsonl"
        #expect(throws: ConfigurationError.self) { try configuration.administrationSink(store) { _ in } }
    }

    @Test
    func aCommandBeginsNoNewAuditFileUnderTheServersHands() async throws {
        var configuration = ServerConfiguration()
        configuration.audit.file = folder.path + "/audit.jsonl"
        configuration.audit.rotateBytes = 4_096
        _ = try folder.write("audit.jsonl", String(repeating: " ", count: 4_096))
        let other = try TemporaryFolder(), store = try SQLiteStore(path: other.path + "/idaas.sqlite")
        let audit = AdministrationAudit(
            sink: try configuration.administrationSink(store) { _ in }, clock: ManualServerClock(), account: "operator")
        try await audit.record(.adminKeysRotate) { _ in }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["audit.jsonl"])
        #expect(folder.bytes("audit.jsonl").count > 4_096)
    }

    @Test
    func anEventIsOneLineOfJSONAndSaysNothingOfWhatItDoesNotKnow() throws {
        let event = AuditEvent(
            time: Timestamp(seconds: 0), action: .smsLogin, outcome: "IDAAS.SDK.SMS.1005", requestID: "r\"1", client: nil,
            subject: "+86-138****1234", userID: nil, sessionID: nil, address: "192.0.2.1")
        #expect(
            event.line
                == #"{"time":"1970-01-01T00:00:00.000Z","event":"login.sms","outcome":"IDAAS.SDK.SMS.1005","request_id":"r\"1","#
                + #""subject":"+86-138****1234","address":"192.0.2.1"}"#)
    }
}
