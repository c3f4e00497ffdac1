import Foundation
import JWTTestSupport
import Testing

@Suite
struct IDaaSCommandTests {
    private let folder: TemporaryFolder
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        database = "\(folder.path)/idaas.sqlite"
    }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

    private func idaas(_ arguments: String...) throws -> Command.Outcome {
        try Command.assay(["idaas"] + arguments + ["--dev", "--db", database])
    }

    /// Runs the server until the database exists and has its keys.
    private func serve() throws {
        let server = try RunningCommand(["idaas", "serve", "--dev", "--listen", "127.0.0.1:0", "--db", database])
        _ = try server.line(containing: "ready")
    }

    @Test(arguments: [
        ["client", "list"], ["client", "add", "--name", "Shop"], ["client", "remove", "a"], ["user", "list"],
        ["user", "add", "--mobile", "+86-13800000000"], ["user", "lock", "a"], ["keys", "list"], ["keys", "rotate"],
        ["keys", "revoke", "a"], ["stream", "list"], ["stream", "add", "--name", "A", "--audience", "a", "--poll"],
        ["stream", "verify", "a"],
        ["backup", "copy.sqlite"], ["audit"], ["audit", "--follow"],
    ])
    func whatAdministersMakesNoDatabaseAndNoKey(_ arguments: [String]) throws {
        let outcome = try Command.assay(["idaas"] + arguments + ["--dev", "--db", database])
        #expect(outcome.exitCode == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("there is no database at \(database)"))
        #expect(files.isEmpty)
    }

    /// Its outbox, queues and some of its budgets would not be those of the first.
    @Test func aSecondServerOnTheSameFileIsRefused() throws {
        let first = try RunningCommand(["idaas", "serve", "--dev", "--listen", "127.0.0.1:0", "--db", database])
        let url = String(try first.line(containing: "ready").split(separator: " ")[1])
        let link = "\(folder.path)/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database)
        try FileManager.default.createSymbolicLink(atPath: link + ".key", withDestinationPath: database + ".key")
        for path in [database, link] {
            let second = try Command.assay(["idaas", "serve", "--dev", "--listen", "127.0.0.1:0", "--db", path], exits: 2)
            #expect(second.errors.contains("another server serves from \(path): process "), "\(second.errors)")
            #expect(second.errors.contains(" at \(url)"))
        }
        // Administration goes on beside the server, and the lock ends with its process, however that ends.
        #expect(try idaas("client", "list").exitCode == 0)
        let process = try #require(folder.read("idaas.sqlite-server").split(separator: " ").dropFirst().first)
        _ = Shell.run("kill -KILL \(process); while kill -0 \(process) 2>/dev/null; do sleep 0.05; done")
        let third = try RunningCommand(["idaas", "serve", "--dev", "--listen", "127.0.0.1:0", "--db", database])
        _ = try third.line(containing: "ready")
    }

    /// The name by which a person logs in is a name for the administrator too.
    @Test func aUserIsFoundByIDNumberAndName() throws {
        try serve()
        #expect(try idaas("user", "add", "--mobile", "+86-13800000000", "--user-name", "alice").exitCode == 0)
        #expect(try idaas("user", "add", "--mobile", "+86-13800000001", "--user-name", "bob").exitCode == 0)
        for name in ["alice", " alice ", "+86-13800000000", "13800000000"] {
            #expect(try idaas("user", "lock", name).exitCode == 0, "\(name)")
            #expect(try idaas("user", "unlock", name).exitCode == 0, "\(name)")
        }
        #expect(try idaas("user", "lock", "Alice").exitCode == 1)
        #expect(try idaas("user", "add", "--mobile", "+86-13800000002", "--user-name", "bob").exitCode == 0)
        let several = try idaas("user", "lock", "bob")
        #expect(several.exitCode == 1 && several.errors.contains("several users have this name"))
    }

    @Test(arguments: [["serve"], ["client", "list"]])
    func aFolderIsNoDatabaseAndKeepsItsMode(_ arguments: [String]) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let outcome = try Command.assay(["idaas"] + arguments + ["--dev", "--db", folder.path])
        #expect(outcome.exitCode == 2 && outcome.errors.contains("\(folder.path) is not a regular file"))
        #expect(try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == 0o755)
        #expect(files.isEmpty && !FileManager.default.fileExists(atPath: folder.path + ".key"))
    }

    @Test func aBackupIsMadeOnceAndReplacesNothing() throws {
        try serve()
        let copy = "\(folder.path)/copy.sqlite"
        #expect(try idaas("backup", copy).exitCode == 0)
        let bytes = folder.bytes("copy.sqlite")
        for path in [copy, folder.path, database] {
            let outcome = try idaas("backup", path)
            #expect(outcome.exitCode == 2 && outcome.errors.contains("\(path) exists"))
        }
        #expect(folder.bytes("copy.sqlite") == bytes && files.allSatisfy { !$0.hasSuffix(".new") })
    }

    /// A limit on the size of files stands for a full disk: the system writes the first bytes of the line, and refuses the others.
    @Test func anAuditLineIsWholeOrAbsentWhenTheDiskIsFull() throws {
        try serve()
        let config = try folder.write("idaas.yaml", "audit:\n  file: \"\(folder.path)/audit.jsonl\"\n")
        let add = Command.line(["idaas", "client", "add", "--name", "Shop", "--dev", "--db", database, "--config", config])
        let outcome = try Command.shell(
            """
            umask 077; head -c 8388588 /dev/zero | tr '\\0' '\\n' >\(folder.path)/audit.jsonl
            (trap '' XFSZ; ulimit -f 8192; exec \(add))
            wc -c <\(folder.path)/audit.jsonl
            \(add) && tail -n 1 \(folder.path)/audit.jsonl
            """)
        #expect(outcome.exitCode == 0 && outcome.errors.contains("the audit log could not be written"), "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.contains { $0.trimmingCharacters(in: .whitespaces) == "8388588" })
        #expect(lines.last?.hasPrefix("{") == true && lines.last?.hasSuffix("}") == true)
    }

    /// Each mistake, and the sentence for it. None is the dump of a value.
    @Test func eachMistakeOfAnAdministratorHasASentence() throws {
        try serve()
        #expect(try idaas("client", "add", "--name", "Shop", "--id", "shop").exitCode == 0)
        #expect(try idaas("user", "add", "--mobile", "+86-13800000000").exitCode == 0)
        let mistakes = [
            (["client", "add", "--name", "Shop", "--id", "shop"], "a client has this id already"),
            (["client", "add", "--name", "Shop", "--id", "a b"], "a client id has 1 to 64 letters"),
            (["client", "remove", "none"], "no client has this id"), (["client", "set", "none", "--no-sms"], "no client has this id"),
            (["client", "rotate-key", "none"], "no client has this id"),
            (["user", "lock", "none"], "no user has this id, mobile number or user name"),
            (["client", "web", "shop", "--redirect", "http://shop.example", "--public"], "a redirect address is https"),
            (["user", "add", "--mobile", "+86-13800000000"], "a user has this mobile number already"),
            (["user", "add", "--mobile", "+86-13800000001", "--test-code", "1"], "a test code has six digits"),
            (["user", "add", "--mobile", "+86-13800000001", "--name", "a\u{1b}"], "control characters"),
            (["keys", "revoke", "none"], "no key has this id"),
        ]
        for (arguments, sentence) in mistakes {
            let outcome = try Command.assay(["idaas"] + arguments + ["--dev", "--db", database], exits: 1)
            #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.contains(sentence), "\(outcome.errors)")
            let json = try Command.assay(["idaas"] + arguments + ["--dev", "--db", database, "--json"])
            // Commands without output have no --json.
            #expect(json.exitCode == 2 || json.output.contains(#""code":"failed","exit_code":1"#), "\(json.output)")
        }
    }

    /// The commands run as a user who may not read the files. Where the tests run as root, that user is `nobody`.
    @Test func aFileOfAnotherUserIsPermissionDenied() throws {
        try serve()
        let config = try folder.write("idaas.yaml", "")
        let commands = [
            ["client", "list", "--config", config], ["serve", "--dev", "--config", config], ["client", "list", "--dev", "--db", database],
            ["serve", "--dev", "--listen", "127.0.0.1:0", "--db", database],
        ]
        for command in commands {
            let line = Command.line(["idaas"] + command)
            let outcome = try Command.shell(
                """
                chmod 000 \(config) \(database)*
                if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid 65534 --regid 65534 --clear-groups; fi
                "$@" \(line)
                """, exits: 2)
            #expect(outcome.errors.contains(": Permission denied"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("Cocoa") && !outcome.errors.contains("SQLite error"))
        }
    }

    @Test func aRotationSaysWhatItDidAndFailsWhereItDidNothing() throws {
        try serve()
        let first = try idaas("keys", "rotate")
        #expect(first.exitCode == 0 && first.output.hasPrefix("outcome=published  kid="), "\(first)")
        let second = try idaas("keys", "rotate", "--json")
        #expect(second.exitCode == 1 && second.errors.contains("nothing changed"))
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? [[String: String]])
        let kid = try #require(rows.first?["kid"])
        #expect(rows.first?["outcome"] == "unchanged" && rows.first?["state"] == "next" && first.output.contains(kid))
        let third = try idaas("keys", "rotate", "--now")
        #expect(third.exitCode == 0 && third.output.hasPrefix("outcome=activated  kid=\(kid)  alg=RS256  state=active"), "\(third)")
    }

    // Audit events in the database

    @Test func theEventsOfCommandsAreOneStreamThatCanBeFollowed() throws {
        try serve()
        let config = try folder.write("idaas.yaml", "audit: {database: true, server: idaas-1}\n")
        #expect(try idaas("audit").output.isEmpty)
        for name in ["Shop", "Club"] { #expect(try idaas("client", "add", "--name", name, "--id", name, "--config", config).exitCode == 0) }
        #expect(try idaas("client", "remove", "none", "--config", config).exitCode == 1)
        let lines = try idaas("audit", "--json").output.split(separator: "\n")
        let events = try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        #expect(events.map { $0["number"] as? Int } == [1, 2, 3] && events.allSatisfy { $0["server"] as? String == "idaas-1" })
        #expect(events.map { $0["client"] as? String } == ["Shop", "Club", "none"])
        #expect(events.map { $0["outcome"] as? String } == ["ok", "ok", "unknownClient"])
        #expect(lines.first?.hasPrefix(#"{"number":1,"server":"idaas-1","time":"2"#) == true)
        let text = try idaas("audit", "--after", "2").output
        #expect(text.hasPrefix("number=3  server=idaas-1  time=2") && text.contains("event=admin.client.remove  outcome=unknownClient"))

        let following = try RunningCommand(["idaas", "audit", "--json", "--follow", "--after", "2", "--db", database, "--dev"])
        #expect(try following.line(containing: "").contains(#""number":3,"#))
        #expect(try idaas("client", "remove", "Shop", "--config", config).exitCode == 0)
        #expect(try following.line(containing: "").contains(#""number":4,"#))
    }

    @Test func aNumberThatNoEventHasHadIsAFailure() throws {
        try serve()
        let outcome = try idaas("audit", "--after", "1", "--json")
        #expect(outcome.exitCode == 1 && outcome.errors.contains("no audit event has had the number of --after"))
        #expect(try idaas("audit", "--after", "-1").exitCode == 2)
    }

    // Receivers of shared signals

    private struct Stream: Decodable {
        let id: String
        let delivery: String
        let events: String
        let url: String?
        let secret: String?
    }

    private func streams(_ arguments: [String], input: String = "") throws -> [Stream] {
        let outcome = try Command.assay(
            ["idaas", "stream"] + arguments + ["--json", "--dev", "--db", database], input: input, exits: 0)
        return try JSONDecoder().decode([Stream].self, from: Data(outcome.output.utf8))
    }

    @Test func aReceiversSecretIsReadFromStandardInputOrPrintedOnce() throws {
        try serve()
        let polls = try #require(try streams(["add", "--name", "Inside", "--audience", "a", "--poll", "--event", "session-revoked"]).first)
        #expect(polls.delivery == "poll" && polls.events == "session-revoked" && polls.secret?.count == 43)
        let push = ["add", "--name", "Gateway", "--audience", "b", "--push", "https://gateway.example/events"]
        let pushed = try #require(try streams(push, input: "a-secret-of-the-receiver\n").first)
        #expect(pushed.delivery == "push" && pushed.secret == nil && pushed.events == "session-revoked,credential-change")
        #expect(try streams(["list"]).allSatisfy { $0.secret == nil } && streams(["list"]).count == 2)
        #expect(try streams(["set", pushed.id, "--event", "credential-change"]).first?.events == "credential-change")
        let rotated = try streams(["rotate-secret", polls.id, "--poll"]).first?.secret
        #expect(rotated?.count == 43 && rotated != polls.secret)
        #expect(try idaas("stream", "verify", polls.id, "--state", "s1").output.contains("state=s1"))
        #expect(try idaas("stream", "remove", polls.id).exitCode == 0)
        #expect(try streams(["list"]).map(\.id) == [pushed.id])
    }

    @Test func aStreamThatCannotBeIsRefusedInASentence() throws {
        try serve()
        let push = ["add", "--name", "A", "--audience", "a", "--push"]
        let cases: [(arguments: [String], input: String, code: Int32, sentence: String)] = [
            (["remove", "none"], "", 1, "no stream has this id"), (["verify", "none"], "", 1, "no stream has this id"),
            (push + ["http://gateway.example/"], "a-secret-of-the-receiver\n", 1, "a receiver's URL is https"),
            (push + ["https://gateway.example/"], "short\n", 1, "a receiver's secret has 16 to 1024"),
            (push + ["https://gateway.example/"], "", 2, "standard input has no secret"),
            (push + ["https://gateway.example/", "--poll"], "", 2, "name either --push or --poll"),
            (["add", "--name", "A", "--audience", "a"], "", 2, "name either --push or --poll"),
        ]
        for (arguments, input, code, sentence) in cases {
            let outcome = try Command.assay(["idaas", "stream"] + arguments + ["--dev", "--db", database], input: input)
            #expect(outcome.exitCode == code && outcome.errors.contains(sentence), "\(arguments): \(outcome.errors)")
        }
    }
}
