import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

/// What every store does; scripts/test.sh runs it on both engines.
struct StoreTests {
    private let domain: Domain
    /// The record of a captcha token, as a code of another number.
    private let thing: SingleUse

    init() async throws {
        domain = try await Domain()
        thing = try await domain.code()
    }

    private static let purpose = Domain.codePurpose

    /// SQLite would look for the text before it.
    @Test
    func aTextWithANULIsNeitherFoundNorStored() async throws {
        try await domain.store.write { [thing] in try $0.save(thing) }
        let refusal = ServiceError(.invalidFormat, "text")
        await #expect(throws: refusal) { try await domain.store.read { try $0.client("demo\u{0}") } }
        await #expect(throws: refusal) { try await domain.store.read { try $0.users(named: "a\u{0}b") } }
        await #expect(throws: refusal) {
            try await domain.store.write { [thing] in
                var thing = thing
                (thing.key, thing.subject) = ([2], "+86-13800000009\u{0}")
                try $0.save(thing)
            }
        }
    }

    @Test
    func of64ConsumersOfOneThingOneWins() async throws {
        try await domain.store.write { [thing] in try $0.save(thing) }
        let results = await concurrently(64) { _ in
            try await domain.store.write { try $0.consume(Self.purpose, [1], at: Timestamp(seconds: 1), outcome: nil) }
        }
        #expect(results.values().count == 64)
        #expect(results.values().filter { $0 }.count == 1)
    }

    @Test(arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)])
    func aThingIsConsumedBeforeTheInstantOfItsExpiryAndNotAtIt(_ offset: Int64, _ works: Bool) async throws {
        let consumed = try await domain.store.write { [thing] store in
            try store.save(thing)
            return try store.consume(Self.purpose, [1], at: thing.expires + .seconds(offset), outcome: nil)
        }
        #expect(consumed == works)
    }

    @Test
    func aTransactionThatThrowsLeavesNothingBehind() async throws {
        await #expect(throws: Domain.Missing.self) {
            try await domain.store.write { [thing] store in
                try store.save(thing)
                throw Domain.Missing()
            }
        }
        #expect(try await domain.store.read { try $0.singleUse(Self.purpose, [1]) } == nil)
    }

    @Test
    func recordsComeBackAsTheyWereSaved() async throws {
        var used = thing
        used.consumed = Timestamp(milliseconds: 1_234)
        used.outcome = "sent"
        used.failures = 3
        let user = User(
            id: "u", mobile: "+86-13800000001", name: "名", userName: "n", email: "e@example", testCode: "123456", isLocked: true,
            created: Timestamp(seconds: 1), lastLogin: Timestamp(seconds: 2))
        let login = try await domain.login()
        var (session, token) = try await domain.store.read { store throws in
            (try #require(try store.session(login.sid)), try #require(try store.sessionToken(Digest256.of(login.sessionToken.utf8))))
        }
        (session.id, session.user, session.methods, session.generation, session.status) = ("s", "u", ["sms", "hwk"], 5, nil)
        (session.used, session.ended) = (Timestamp(seconds: 4), Timestamp(seconds: 7))
        (token.digest, token.session, token.generation, token.rotated) = ([8], "s", 9, Timestamp(seconds: 10))
        let failures = LoginFailures(
            mobile: "+86-13800000001", device: [5], count: 1, locks: 2, lockedUntil: Timestamp(seconds: 3), updated: Timestamp(seconds: 4))
        try await domain.store.write { [used, session, token] store in
            try store.save(used)
            try store.save(user)
            try store.save(session)
            try store.save(token)
            try store.save(failures)
        }
        try await domain.store.read { [used, session, token] store throws in
            #expect(try store.singleUse(Self.purpose, [1]) == used)
            #expect(try store.singleUses(of: used.subject) == [used])
            #expect(try store.user("u") == user && store.user(mobile: user.mobile) == user)
            #expect(try store.users(after: nil, limit: 9).contains(user))
            #expect(try store.session("s") == session && store.sessions(of: "u") == [session])
            #expect(try store.sessionToken([8]) == token)
            #expect(try store.failures(of: user.mobile) == [failures] && store.failures(of: user.mobile, on: [5]) == failures)
            #expect(try store.failures(of: user.mobile, on: [6]) == nil)
            #expect(try store.clients() == [domain.client])
        }
    }

    /// A text is a value, never a part of a statement.
    @Test(arguments: ["'; DROP TABLE users; --", "$1", "?", "\\'", "\"", "%", "x' OR '1'='1", "';", "E'\\x41'", "/*", "\u{202e}名"])
    func aTextWithSQLIsOnlyAText(_ text: String) async throws {
        let user = User(
            id: "u" + text, mobile: "+86-13800000001", name: text, userName: text, email: text, testCode: nil, isLocked: false,
            created: Timestamp(seconds: 1), lastLogin: nil)
        try await domain.store.write { try $0.save(user) }
        try await domain.store.read { store throws in
            #expect(try store.user(user.id) == user)
            #expect(try store.users(named: text) == [user])
            #expect(try store.users(named: text + " ").isEmpty)
            #expect(try store.client(text) == nil && store.session(text) == nil)
        }
    }

    @Test
    func anOlderClientRecordHasTheDefaultsOfWhatItLacks() throws {
        let settings = try JSONDecoder().decode(ClientSettings.self, from: Data("{\"version\":1,\"sms\":false}".utf8))
        var expected = ClientSettings()
        expected.sms = false
        #expect(settings == expected)
    }

    @Test
    func whatIsOverIsSweptWhatMayMatterStays() async throws {
        let domain = try await Domain(limits: .without())
        _ = try await domain.login()
        let before = try await domain.store.read { try $0.singleUses(of: Domain.mobile).count }
        try await domain.services.maintain()
        #expect(try await domain.store.read { try $0.singleUses(of: Domain.mobile).count } == before)
        domain.clock.advance(by: 331)
        try await domain.services.maintain()
        #expect(try await domain.store.read { try $0.singleUses(of: Domain.mobile).count } == 0)
        domain.clock.advance(by: 15 * 86_400)
        try await domain.services.maintain()
        let user = try await domain.store.read { try $0.user(mobile: Domain.mobile) }
        let sessions = try await domain.store.read { [user] in try $0.sessions(of: user?.id ?? "") }
        #expect(user != nil && sessions.isEmpty)
    }
}
