#if IDaaS
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
        ["keys", "revoke", "a"],
        ["backup", "copy.sqlite"],
    ])
    func whatAdministersMakesNoDatabaseAndNoKey(_ arguments: [String]) throws {
        let outcome = try Command.assay(["idaas"] + arguments + ["--dev", "--db", database])
        #expect(outcome.exitCode == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("there is no database at \(database)"))
        #expect(files.isEmpty)
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
}
#endif
