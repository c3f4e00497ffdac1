import Foundation
import Glibc
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct FileSessionStoreTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/session"
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// The lock of another process, as the system sees it: a separate file description.
    private func lockAsAnotherProcess() throws -> Int32 {
        let descriptor = unsafe open(path + ".lock", O_RDWR)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    @Test
    func whatIsStoredIsThereForAnotherProcessAndForNobodyElsesEyes() async throws {
        let session = try await Tenant(store: FileSessionStore(path: path)).logIn()
        let contents = try await FileSessionStore(path: path).contents()
        #expect(contents.session == session && contents.device?.count == 32)
        #expect(try mode(path) == 0o600 && mode(path + ".lock") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["session", "session.lock"])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602])
    func aFileThatOthersMayReadOrWriteIsRefusedAndLeftAsItIs(_ mode: Int) async throws {
        try await Tenant(store: FileSessionStore(path: path)).logIn()
        let before = folder.bytes("session")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let outcome = try await Tenant(store: FileSessionStore(path: path)).flows.sessions.current()
        #expect(outcome.failure?.reason == .store(StoreFailure(.notPrivate)))
        #expect(folder.bytes("session") == before)
    }

    @Test(arguments: ["session", "session.lock"])
    func aLinkIsFollowedNeitherToTheFileNorToTheLock(_ name: String) async throws {
        _ = try folder.write("target", "{}")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/target")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: folder.path + "/target")
        let outcome = try await Tenant(store: FileSessionStore(path: path)).flows.areaCodes.list()
        #expect(outcome.failure?.reason == .store(StoreFailure(.notPrivate)))
        #expect(folder.read("target") == "{}")
    }

    @Test(arguments: ["", "no JSON", "[]", #"{"session":{"sessionToken":1}}"#])
    func whatIsNoSessionIsNotWrittenOver(_ text: String) async throws {
        let path = try folder.write("session", text)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let outcome = try await Tenant(store: FileSessionStore(path: path)).flows.sessions.current()
        #expect(outcome.failure?.reason == .store(StoreFailure(.malformed)))
        #expect(folder.read("session") == text)
    }

    @Test(arguments: [
        ("idTokenExpiresAt", Int64.min), ("idTokenExpiresAt", .max), ("renewedAt", .min), ("renewedAt", -1), ("expiresAt", .max),
        ("expiresAt", 253_402_300_800),
    ])
    func aSessionWithATimeThatIsNoneIsMalformed(_ member: String, _ time: Int64) async throws {
        try await Tenant(store: FileSessionStore(path: path)).logIn()
        let text = folder.read("session").replacing(try Regex("\"\(member)\":[0-9]+"), with: "\"\(member)\":\(time)")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let outcome = try await Tenant(store: FileSessionStore(path: path)).flows.sessions.current()
        #expect(outcome.failure?.reason == .store(StoreFailure(.malformed)))
        #expect(folder.read("session") == text)
    }

    @Test(arguments: [Int64.min, -86_401, 86_401, .max])
    func aStoredClockOffsetOfMoreThanADayCountsForNothing(_ offset: Int64) async throws {
        try await Tenant(store: FileSessionStore(path: path)).logIn()
        let text = folder.read("session").replacing(try Regex("\"clockOffset\":-?[0-9]+,?"), with: "")
        try Data(("{\"clockOffset\":\(offset)," + text.dropFirst()).utf8).write(to: URL(fileURLWithPath: path))
        let outcome = try await Tenant(store: FileSessionStore(path: path)).flows.sessions.current()
        #expect(outcome.session?.sessionToken == "s-1")
    }

    @Test
    func aFolderThatIsNotThereIsAFailureOfTheStore() async throws {
        let store = FileSessionStore(path: folder.path + "/none/session")
        let outcome = try await Tenant(store: store).flows.areaCodes.list()
        #expect(outcome.failure?.reason == .store(StoreFailure(.unwritable)))
    }

    /// While another process has the lock, this one does not refresh. Then it reads the store again and needs no refresh.
    @Test
    func aRefreshWaitsForTheLockOfAnotherProcess() async throws {
        let clock = ManualClock()
        let tenant = try Tenant(store: FileSessionStore(path: path, clock: clock))
        try await tenant.logIn()
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-wrong"))
        let descriptor = try lockAsAnotherProcess()
        defer { close(descriptor) }
        let task = Task { await tenant.flows.sessions.renew() }
        #expect(await settles { clock.sleeperCount == 1 })
        clock.advance(by: .milliseconds(500))
        #expect(await settles { clock.sleeperCount == 1 })
        #expect(tenant.server.requests(to: Path.refresh).isEmpty)
        let renewed = folder.read("session").replacing("\"s-1\"", with: "\"s-theirs\"")
        try Data(renewed.utf8).write(to: URL(fileURLWithPath: path))
        flock(descriptor, LOCK_UN)
        clock.advance(by: .milliseconds(500))
        #expect(await task.value.session?.sessionToken == "s-theirs")
        #expect(tenant.server.requests(to: Path.refresh).isEmpty)
    }

    @Test(arguments: [FlowError.Reason.store(StoreFailure(.busy)), .cancelled])
    func waitingForAnotherProcessEndsAfterAWhileOrWithTheTask(_ reason: FlowError.Reason) async throws {
        let clock = ManualClock()
        let tenant = try Tenant(store: FileSessionStore(path: path, clock: clock, patience: .seconds(5)))
        try await tenant.logIn()
        let descriptor = try lockAsAnotherProcess()
        defer { close(descriptor) }
        let task = Task { await tenant.flows.sessions.logOut() }
        #expect(await settles { clock.sleeperCount == 1 })
        if reason == .cancelled { task.cancel() } else { clock.advance(by: .seconds(5)) }
        let failure = await task.value.failure
        #expect(failure?.reason == reason && failure?.isRetryable == (reason != .cancelled))
    }

    @Test
    func eightProgramsWithOneFileRefreshOnce() async throws {
        let store = FileSessionStore(path: path)
        let first = try Tenant(store: store)
        try await first.logIn(idTokenSeconds: 30)
        let tenants = try (0..<8).map { _ in try Tenant(store: FileSessionStore(path: path)) }
        for (index, tenant) in tenants.enumerated() { tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-\(index + 10)")) }
        let tokens = await withTaskGroup(of: String?.self) { group in
            for tenant in tenants { group.addTask { await tenant.flows.sessions.current().session?.sessionToken } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && tokens.first != .some(nil))
        let calls = tenants.flatMap { $0.server.requests(to: Path.refresh) }
        #expect(calls.count == 1)
    }

    @Test
    func aProcessThatWasEndedWhileItHadTheLockHoldsNobodyUp() async throws {
        let tenant = try Tenant(store: FileSessionStore(path: path))
        try await tenant.logIn()
        // The process's descriptor is closed; the lock file stayed.
        close(try lockAsAnotherProcess())
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        #expect(await tenant.flows.sessions.renew().session?.sessionToken == "s-2")
    }
}
