#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import JWTCore
import Logging
import Testing

@Suite("Logs and the audit trail")
struct AuditTests {
    @Test(
        "A number shows its country and its ends",
        arguments: [
            ("+86-13800001234", "+86-138****1234"), ("13800001234", "138****1234"), ("+852-61234567", "+852-61****67"), ("12345", "****"),
            ("+86-123", "+86-****"), ("+8613800001234", "861****1234"), ("", "****"),
        ])
    func mobile(number: String, masked: String) {
        #expect(Masked.mobile(number) == masked)
    }

    @Test("A token shows the first eight digits of its SHA-256")
    func token() {
        #expect(Masked.token("abc") == "ba7816bf")
    }

    @Test("Numbers in a text are masked however they are written")
    func numbers() {
        #expect(
            Masked.numbers(in: "to +86-13800001234 and 2B8613800001234, 12345 stay") == "to +86-138****1234 and 2B861****1234, 12345 stay")
    }

    @Test(
        "Instants are written as RFC 3339 has them",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_709_164_799_999, "2024-02-28T23:59:59.999Z"),
            (1_709_210_096_007, "2024-02-29T12:34:56.007Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func instants(milliseconds: Int64, text: String) {
        #expect(ISOTime.text(Timestamp(milliseconds: milliseconds)) == text)
    }

    @Test("A log line is one JSON object without a full number in it, wherever that stands")
    func logLine() throws {
        let capture = LogCapture()
        var logger = capture.logger(clock: ManualClock(Timestamp(seconds: 0)))
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

    @Test("The trail begins a new file when one is full, and keeps as many as it was told")
    func rotation() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "audit.jsonl").path
        let event = AuditEvent(
            time: Timestamp(seconds: 0), action: .smsSend, outcome: "ok", requestID: "r", client: "demo", subject: "138****1234",
            userID: nil,
            sessionID: nil, address: "192.0.2.1")
        let log = try AuditLog(path: path, rotateBytes: 3 * (event.line.utf8.count + 1), keep: 2)
        for _ in 0..<10 { await log.record(event) }
        let count = { (name: String) in try String(contentsOfFile: path + name, encoding: .utf8).split(separator: "\n").count }
        #expect(try (count(""), count(".1"), count(".2")) == (1, 3, 3))
        #expect(!FileManager.default.fileExists(atPath: path + ".3"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)

        let again = try AuditLog(path: path, rotateBytes: 1 << 20, keep: 2)
        await again.record(event)
        #expect(try count("") == 2)
    }

    @Test("A rotation that fails loses no event and no file, and the next that can be done is")
    func failedRotation() async throws {
        let trail = try Trail(keep: 2)
        for _ in 0..<10 { await trail.record() }
        let kept = try trail.count(".1") + trail.count(".2") + trail.count("")
        // Neither a directory in the way of the new file nor one in the place of the oldest can be written over.
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

    @Test("A file that somebody else took away is begun again at the next rotation, and pushes nothing out")
    func removedFile() async throws {
        let trail = try Trail(keep: 1)
        for _ in 0..<6 { await trail.record() }
        try FileManager.default.removeItem(atPath: trail.path)
        await trail.record()
        #expect(try (trail.count(""), trail.count(".1")) == (1, 3) && trail.failures == 0)
    }

    /// An audit log in a directory of its own, three events a file.
    private final class Trail: Sendable {
        let path: String
        private let log: AuditLog
        private let directory: URL
        private let failed = Locked(0)
        private let event = AuditEvent(
            time: Timestamp(seconds: 0), action: .smsSend, outcome: "ok", requestID: "r", client: "demo", subject: "138****1234",
            userID: nil, sessionID: nil, address: "192.0.2.1")

        init(keep: Int) throws {
            directory = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            path = directory.appending(path: "audit.jsonl").path
            log = try AuditLog(path: path, rotateBytes: 3 * (event.line.utf8.count + 1), keep: keep) { [failed] _ in
                failed.withLock { $0 += 1 }
            }
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        var failures: Int { failed.withLock { $0 } }

        func record() async { await log.record(event) }

        func count(_ suffix: String) throws -> Int {
            try String(contentsOfFile: path + suffix, encoding: .utf8).split(separator: "\n").count
        }
    }

    @Test("A trail that cannot be kept stops the server from starting")
    func unwritable() {
        #expect(throws: ConfigurationError.self) { try AuditLog(path: "/nowhere/audit.jsonl", rotateBytes: 4_096, keep: 1) }
    }

    /// Administers with an audit file, and reads what it then holds.
    private func events(
        _ body: (Services, AdministrationAudit) async throws -> Void
    ) async throws -> [[String: String]] {
        let directory = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = ServerConfiguration()
        configuration.database = directory.appending(path: "idaas.sqlite").path
        configuration.audit.file = directory.appending(path: "audit.jsonl").path
        let clock = ManualClock(Timestamp(seconds: 0))
        let services = try ServiceAssembly(
            configuration: configuration, issuer: "", clock: clock, gateway: DevelopmentOutbox(),
            environment: [ServerKey.variable: String(repeating: "5a", count: 32)]
        ).services()
        let sink = try configuration.administrationSink { Issue.record("\($0)") }
        try await body(services, AdministrationAudit(sink: sink, clock: clock, account: "operator"))
        return try String(contentsOfFile: configuration.audit.file, encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
        }
    }

    @Test("An act of administration leaves one event, of whom, by whom and how it ended, with the number masked")
    func administration() async throws {
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

    @Test("Administering without an audit file keeps nothing, and with one that cannot be opened does not begin")
    func administrationSink() async throws {
        var configuration = ServerConfiguration()
        #expect(try configuration.administrationSink { _ in } is NoAudit)
        configuration.audit.file = "/nowhere/audit.jsonl"
        #expect(throws: ConfigurationError.self) { try configuration.administrationSink { _ in } }
    }

    @Test("A command begins no new audit file under the server's hands")
    func noRotation() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = ServerConfiguration()
        configuration.audit.file = directory.appending(path: "audit.jsonl").path
        configuration.audit.rotateBytes = 4_096
        try Data(repeating: 0x20, count: 4_096).write(to: directory.appending(path: "audit.jsonl"))
        let audit = AdministrationAudit(sink: try configuration.administrationSink { _ in }, clock: ManualClock(), account: "operator")
        try await audit.record(.adminKeysRotate) { _ in }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["audit.jsonl"])
        #expect(try Data(contentsOf: directory.appending(path: "audit.jsonl")).count > 4_096)
    }

    @Test("An event is one line of JSON, and says nothing of what it does not know")
    func event() throws {
        let event = AuditEvent(
            time: Timestamp(seconds: 0), action: .smsLogin, outcome: "IDAAS.SDK.SMS.1005", requestID: "r\"1", client: nil,
            subject: "+86-138****1234", userID: nil, sessionID: nil, address: "192.0.2.1")
        #expect(
            event.line
                == #"{"time":"1970-01-01T00:00:00.000Z","event":"login.sms","outcome":"IDAAS.SDK.SMS.1005","request_id":"r\"1","#
                + #""subject":"+86-138****1234","address":"192.0.2.1"}"#)
    }
}
#endif
