import Foundation
import GRDB
import IDaaSServer
import IDaaSTestSupport
import JWTTestSupport
import Testing

@Suite
struct DatabaseFileTests {
    private let temporary: TemporaryFolder
    private var folder: URL { URL(fileURLWithPath: temporary.path) }
    private var path: String { folder.appending(path: "idaas.sqlite").path }

    init() throws { temporary = try TemporaryFolder() }

    /// Files with the name of a database that are not a database of this server.
    enum Other: CaseIterable {
        case folder, text, empty, pipe, linkToText, linkToNothing, database, databaseWithLog

        var code: DatabaseFailure.Code {
            switch self {
            case .folder, .pipe: .notAFile
            case .text, .linkToText, .database, .databaseWithLog: .foreign
            case .empty: .empty
            case .linkToNothing: .missing
            }
        }

        func make(at path: String) throws {
            let files = FileManager.default
            switch self {
            case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .text: try Data("a shopping list".utf8).write(to: URL(fileURLWithPath: path))
            case .empty: try Data().write(to: URL(fileURLWithPath: path))
            case .pipe: try #require(unsafe mkfifo(path, 0o644) == 0)
            case .linkToText:
                try Data(repeating: 7, count: 200).write(to: URL(fileURLWithPath: path + ".target"))
                try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".target")
            case .linkToNothing: try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".target")
            case .database: try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE other (id INTEGER)") }
            case .databaseWithLog: try DatabasePool(path: path).write { try $0.execute(sql: "CREATE TABLE other (id INTEGER)") }
            }
            if ![.linkToNothing, .folder].contains(self) { try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path) }
        }
    }

    /// Everything in the folder: names, modes and bytes.
    private func state() throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.reduce(into: [:]) { state, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            let isRegular = attributes[.type] as? FileAttributeType == .typeRegular
            let bytes = isRegular ? try Data(contentsOf: folder.appending(path: name)).base64EncodedString() : ""
            state[name] = "\(attributes[.type] ?? "") \(attributes[.posixPermissions] ?? "") \(bytes)"
        }
    }

    private func failure(_ body: () async throws -> Void) async throws -> DatabaseFailure? {
        do {
            try await body()
            return nil
        } catch let failure as DatabaseFailure {
            return failure
        }
    }

    @Test(arguments: Other.allCases)
    func whatIsNoDatabaseOfOursIsRefusedAndStaysAsItIs(_ other: Other) async throws {
        try other.make(at: path)
        let before = try state()
        for opening in [StoreOpening.existing, .makingIfMissing] {
            let refused = try await failure { _ = try SQLiteStore(path: path, opening: opening) }
            #expect(refused?.code == other.code && refused?.path == path)
            #expect(try state() == before)
        }
    }

    @Test(.fileStore, arguments: Other.allCases)
    func aBackupReplacesNothing(_ other: Other) async throws {
        let domain = try await Domain()
        try other.make(at: path)
        let before = try state()
        #expect(try await failure { try await domain.store.backUp(to: path) }?.code == .exists)
        #expect(try state() == before)
    }

    @Test(.fileStore) func aBackupReplacesNoDatabaseOfOursEither() async throws {
        let domain = try await Domain()
        try await domain.store.backUp(to: path)
        #expect(try state().keys.sorted() == ["idaas.sqlite"])
        let before = try state()
        #expect(try await failure { try await domain.store.backUp(to: path) }?.code == .exists)
        #expect(try state() == before)
        let nowhere = folder.appending(path: "missing/copy.sqlite").path
        #expect(try await failure { try await domain.store.backUp(to: nowhere) }?.code == .refused)
        let itself = domain.folder.appending(path: "idaas.sqlite").path
        #expect(try await failure { try await domain.store.backUp(to: itself) }?.code == .exists)
    }

    @Test func onlyWhoServesMakesAMissingDatabase() async throws {
        #expect(try await failure { _ = try SQLiteStore(path: path, opening: .existing) }?.code == .missing)
        #expect(try state().isEmpty)
        _ = try SQLiteStore(path: path, opening: .makingIfMissing)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        _ = try SQLiteStore(path: path, opening: .existing)
        #expect(try state().keys.allSatisfy { $0.hasPrefix("idaas.sqlite") && !$0.hasSuffix(".new") })
    }

    @Test func aDatabaseOfOursKeepsTheModeThatItsOwnerGaveIt() throws {
        _ = try SQLiteStore(path: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        _ = try SQLiteStore(path: path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    @Test func aSchemaOfALaterVersionIsRefusedByItsName() async throws {
        _ = try SQLiteStore(path: path)
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 what comes later')") }
        for opening in [StoreOpening.existing, .makingIfMissing] {
            let refused = try await failure { _ = try SQLiteStore(path: path, opening: opening) }
            #expect(refused?.code == .newer && refused?.detail == "99 what comes later")
            #expect(refused?.description.contains("99 what comes later") == true)
        }
    }

    @Test func aFileOfTheVersionBeforeGetsItsAuditEvents() async throws {
        let pool = try DatabasePool(path: path)
        try SQLiteSchema.migrator.migrate(pool, upTo: "9 shared signals")
        try pool.close()
        let store = try SQLiteStore(path: path)
        let event = AuditEvent(
            time: Timestamp(seconds: 1), action: .smsLogin, outcome: "ok", requestID: nil, client: nil, subject: nil, userID: nil,
            sessionID: nil, address: nil)
        try await AuditBatch([event], of: "a").write(to: store)
        #expect(try await store.read { try $0.auditEvents(after: 0, limit: 9).map(\.number) } == [1])
    }

    /// Four migrations and no `application_id`, in the file or, after a crash, still in its log.
    @Test(arguments: [true, false])
    func anUnmarkedDatabaseOfOursIsBroughtUpToDate(isInFile: Bool) async throws {
        let origin = folder.appending(path: "origin").path
        let pool = try DatabasePool(path: origin)
        try SQLiteSchema.migrator.migrate(pool, upTo: "4 signing policy")
        try await pool.write { try $0.execute(sql: "UPDATE revisions SET value = 7") }
        if isInFile { try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
        // The state after a crash: closing would empty the log.
        try withExtendedLifetime(pool) {
            for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: origin + suffix, toPath: path + suffix) }
        }
        let store = try SQLiteStore(path: path)
        #expect(try await store.read { try $0.signingKeyRevision() } == 7)
        #expect(try await store.pragma("application_id") == "\(0x6173_7379)")
    }
}
