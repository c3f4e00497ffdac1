#if IDaaS
import Foundation
import IDaaSServer
import Secrets
import Testing

@Suite("The SQLite store")
struct SQLiteStoreTests {
    private static let purpose = SingleUse.Purpose(rawValue: "code.LOGIN_SMS")

    private func thing(_ key: UInt8 = 1, expires: Int64 = 2_000_000_000) -> SingleUse {
        SingleUse(
            purpose: Self.purpose, key: [key], client: "client-1", device: [2], subject: "+86-13800000000", content: [3],
            created: Timestamp(seconds: 0), expires: Timestamp(seconds: expires))
    }

    @Test("A reply survives the loss of power: write-ahead log, synchronous FULL, foreign keys")
    func pragmas() async throws {
        let domain = try await Domain()
        #expect(try await domain.store.pragma("journal_mode") == "wal")
        #expect(try await domain.store.pragma("synchronous") == "2")
        #expect(try await domain.store.pragma("foreign_keys") == "1")
        #expect(try await domain.store.pragma("busy_timeout") == "5000")
    }

    @Test("The file, its log and its index are for their owner alone")
    func modes() async throws {
        let domain = try await Domain()
        for name in ["idaas.sqlite", "idaas.sqlite-wal", "idaas.sqlite-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: domain.folder.appending(path: name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("Of 64 consumers of one thing one wins")
    func oneWinner() async throws {
        let domain = try await Domain()
        try await domain.store.write { [thing = thing()] in try $0.save(thing) }
        let results = await concurrently(64) { _ in
            try await domain.store.write { try $0.consume(Self.purpose, [1], at: Timestamp(seconds: 1), outcome: nil) }
        }
        #expect(results.values().count == 64)
        #expect(results.values().filter { $0 }.count == 1)
    }

    @Test("A thing is consumed before the instant of its expiry, and not at it", arguments: [(-1, true), (0, false), (1, false)])
    func expiry(_ offset: Int, _ works: Bool) async throws {
        let domain = try await Domain()
        try await domain.store.write { [thing = thing(expires: 100)] in try $0.save(thing) }
        let consumed = try await domain.store.write {
            try $0.consume(Self.purpose, [1], at: Timestamp(seconds: 100) + offset, outcome: nil)
        }
        #expect(consumed == works)
    }

    @Test("A transaction that throws leaves nothing behind")
    func rollback() async throws {
        let domain = try await Domain()
        await #expect(throws: Domain.Missing.self) {
            try await domain.store.write { [thing = thing()] store in
                try store.save(thing)
                throw Domain.Missing()
            }
        }
        #expect(try await domain.store.read { try $0.singleUse(Self.purpose, [1]) } == nil)
    }

    @Test("What is inserted once is not inserted again")
    func insertion() async throws {
        let domain = try await Domain()
        let results = try await domain.store.write { [thing = thing()] in [try $0.insert(thing), try $0.insert(thing)] }
        #expect(results == [true, false])
    }

    @Test("Records come back as they were saved")
    func records() async throws {
        let domain = try await Domain()
        var used = thing()
        used.consumed = Timestamp(milliseconds: 1_234)
        used.outcome = "sent"
        used.failures = 3
        let user = User(
            id: "u", mobile: "+86-13800000001", name: "名", userName: "n", email: "e@example", testCode: "123456", isLocked: true,
            created: Timestamp(seconds: 1), lastLogin: Timestamp(seconds: 2))
        let session = Session(
            id: "s", user: "u", client: "client-1", device: [1], deviceName: "d", methods: ["sms", "hwk"],
            authenticated: Timestamp(seconds: 3), used: Timestamp(seconds: 4), generation: 5, sealedFamilyKey: [6],
            ended: Timestamp(seconds: 7))
        let token = SessionToken(digest: [8], session: "s", generation: 9, rotated: Timestamp(seconds: 10))
        let failures = LoginFailures(
            mobile: "+86-13800000001", count: 1, locks: 2, lockedUntil: Timestamp(seconds: 3), updated: Timestamp(seconds: 4))
        try await domain.store.write { [used] store in
            try store.save(used)
            try store.save(user)
            try store.save(session)
            try store.save(token)
            try store.save(failures)
        }
        try await domain.store.read { [used] store throws in
            #expect(try store.singleUse(Self.purpose, [1]) == used)
            #expect(try store.singleUses(of: "+86-13800000000") == [used])
            #expect(try store.user("u") == user && store.user(mobile: user.mobile) == user && store.users(after: nil, limit: 9) == [user])
            #expect(try store.session("s") == session && store.sessions(of: "u") == [session])
            #expect(try store.sessionToken([8]) == token)
            #expect(try store.failures(of: user.mobile) == failures)
            #expect(try store.clients() == [domain.client])
        }
    }

    @Test("A backup is whole, for its owner alone, and made while others write")
    func backup() async throws {
        let domain = try await Domain(limits: .wide)
        let path = domain.folder.appending(path: "copy.sqlite").path
        async let writes = concurrently(200) { ordinal in
            try await domain.store.write { store in
                for half in 0..<2 {
                    try store.save(
                        SingleUse(
                            purpose: Self.purpose, key: [UInt8(ordinal), UInt8(half)], client: "c", device: [], subject: "pair \(ordinal)",
                            created: Timestamp(seconds: 0), expires: Timestamp(seconds: 1)))
                }
            }
        }
        try await domain.services.administration.backUp(to: path)
        #expect(await writes.values().count == 200)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let copy = try SQLiteStore(path: path)
        #expect(try await copy.read { try $0.client("client-1") } == domain.client)
        #expect(try await copy.pragma("integrity_check") == "ok")
        for ordinal in 0..<200 {
            let pair = try await copy.read { try $0.singleUses(of: "pair \(ordinal)") }
            #expect(pair.count != 1)
        }
    }

    @Test("An older client record has the defaults of what it lacks")
    func settings() throws {
        let settings = try JSONDecoder().decode(ClientSettings.self, from: Data("{\"version\":1,\"sms\":false}".utf8))
        var expected = ClientSettings()
        expected.sms = false
        #expect(settings == expected)
    }

    @Test("What is over is swept, what may matter stays")
    func sweep() async throws {
        let domain = try await Domain(limits: .wide)
        _ = try await domain.login()
        let before = try await domain.store.read { try $0.singleUses(of: Domain.mobile).count }
        try await domain.services.maintain()
        #expect(try await domain.store.read { try $0.singleUses(of: Domain.mobile).count } == before)
        domain.clock.advance(331)
        try await domain.services.maintain()
        #expect(try await domain.store.read { try $0.singleUses(of: Domain.mobile).count } == 0)
        domain.clock.advance(15 * 86_400)
        try await domain.services.maintain()
        let user = try await domain.store.read { try $0.user(mobile: Domain.mobile) }
        let sessions = try await domain.store.read { [user] in try $0.sessions(of: user?.id ?? "") }
        #expect(user != nil && sessions.isEmpty)
    }

    @Test("Health asks the store to write and to read")
    func health() async throws {
        let domain = try await Domain()
        try await domain.store.check()
    }
}
#endif
