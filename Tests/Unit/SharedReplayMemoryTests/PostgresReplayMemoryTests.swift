import Foundation
import JWTCore
import ReplayMemory
import SharedReplayMemory
import Testing

@Suite(.serialized, .enabled("PostgreSQL is needed") { PostgresProcess.isInstalled })
struct PostgresReplayMemoryTests {
    private func failure(_ url: String) async throws -> String {
        let memory = try PostgresReplayMemory(url: url, time: .seconds(5))
        do throws(ReplayMemoryError) {
            return try await memory.use(ReplayIdentifier("test", []), until: 2_000_000_000, now: 1_800_000_000).rawValue
        } catch {
            return error.description
        }
    }

    @Test func endedUsesAreDeletedAndLiveOnesStay() async throws {
        let store = try PostgresProcess()
        defer { store.stop() }
        let memory = try store.memory(.seconds(5))
        // By the server's clock these ended long ago, and the last one ends in 2096.
        for number in 0..<700 { #expect(await memory.answer(number, until: 1_000, now: 1) == "first") }
        #expect(await memory.answer(1_000, until: 4_000_000_000, now: 1) == "first")
        var number = 2_000
        while try Int(store.run("SELECT count(*) FROM assay_uses WHERE ends = 1000").filter(\.isNumber)) != 0, number < 4_000 {
            number += 1
            _ = await memory.answer(number)
        }
        #expect(number < 4_000)
        #expect(await memory.answer(1_000, until: 4_000_000_000, now: 1) == "replayed")
    }

    @Test func passwordsAreLibpqs() async throws {
        let store = try PostgresProcess()
        defer { store.stop() }
        try store.run("CREATE ROLE gateway LOGIN PASSWORD 'right'; GRANT CREATE ON SCHEMA public TO gateway")
        let rules = store.folder.appending(path: "data/pg_hba.conf")
        try "local all postgres trust\nlocal all all scram-sha-256\n".write(to: rules, atomically: false, encoding: .utf8)
        try store.run("SELECT pg_reload_conf()")
        let file = store.folder.appending(path: "passwords").path
        for (password, answer) in [("wrong", "password authentication failed"), ("right", "first")] {
            try "*:*:*:*:\(password)\n".write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            #expect(try await failure(store.url(user: "gateway", "&passfile=\(file)")).contains(answer))
        }
    }

    /// The table would grow without end, and nothing would say so.
    @Test func aUserThatMayNotDeleteIsRefused() async throws {
        let store = try PostgresProcess()
        defer { store.stop() }
        #expect(await (try store.memory(.seconds(5))).answer(1) == "first")
        try store.run("CREATE ROLE gateway LOGIN; GRANT SELECT, INSERT ON assay_uses TO gateway")
        #expect(try await failure(store.url(user: "gateway")).contains("42501 permission denied"))
        try store.run("GRANT UPDATE, DELETE ON assay_uses TO gateway")
        #expect(try await failure(store.url(user: "gateway")) == "first")
    }

    @Test func aHostThatDoesNotAnswerLeavesTimeForTheNext() async throws {
        let (frozen, store) = (try PostgresProcess(), try PostgresProcess())
        defer {
            try? frozen.thaw()
            frozen.stop()
            store.stop()
        }
        try frozen.freeze()
        let url = "postgresql:///postgres?host=\(frozen.folder.path),\(store.folder.path)&user=postgres"
        #expect(await (try PostgresReplayMemory(url: url, connections: 1, time: .seconds(5))).answerOnceThere(1) == "first")
    }

    @Test func gatewaysThatStartTogetherMakeOneTable() async throws {
        let store = try PostgresProcess()
        defer { store.stop() }
        let memories = try (0..<8).map { _ in try store.memory(.seconds(10)) }
        let answers = await withTaskGroup(of: String.self) { group in
            for memory in memories { group.addTask { await memory.answer(1) } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["first": 1, "replayed": 7])
    }

    @Test func aCommitIsNeverLeftToLater() async throws {
        let store = try PostgresProcess()
        defer { store.stop() }
        try store.run("ALTER ROLE postgres SET synchronous_commit = off")
        try store.run("CREATE TABLE seen (setting TEXT)")
        let memory = try store.memory(.seconds(5))
        #expect(await memory.answer(1) == "first")
        // A trigger sees the setting of the session that writes.
        try store.run(
            """
            CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS \
            $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$; \
            CREATE TRIGGER see BEFORE INSERT ON assay_uses FOR EACH ROW EXECUTE FUNCTION see()
            """)
        #expect(await memory.answer(2) == "first")
        #expect(try store.run("SELECT setting FROM seen").hasPrefix("on"))
    }

    @Test(arguments: ["postgresql://h/d", "postgres:///d?host=/run"]) func aURLOfLibpqIsOne(url: String) {
        #expect(PostgresReplayMemory.isURL(url))
    }

    @Test(arguments: ["", "h", "mysql://h", "postgresql://h/d?unknown=1"]) func anotherTextIsNone(url: String) {
        #expect(!PostgresReplayMemory.isURL(url))
        #expect(!url.hasPrefix("postgres") || (try? PostgresReplayMemory(url: url)) == nil)
    }
}
