import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// What the store in a file does beside ``StoreTests``.
@Suite(.fileStore)
struct SQLiteStoreTests {
    private let domain: Domain
    private let file: SQLiteStore

    init() async throws {
        domain = try await Domain()
        file = try #require(domain.store as? SQLiteStore)
    }

    /// A reply survives a power failure: write-ahead log, synchronous FULL, foreign keys.
    @Test
    func theStoreSurvivesAPowerFailure() async throws {
        #expect(try await file.pragma("journal_mode") == "wal")
        #expect(try await file.pragma("synchronous") == "2")
        #expect(try await file.pragma("foreign_keys") == "1")
        #expect(try await file.pragma("busy_timeout") == "5000")
    }

    @Test
    func theFileItsLogAndItsIndexAreForTheirOwnerAlone() async throws {
        for name in ["idaas.sqlite", "idaas.sqlite-wal", "idaas.sqlite-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: domain.folder.appending(path: name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test
    func aBackupIsWholeForItsOwnerAloneAndMadeWhileOthersWrite() async throws {
        let domain = try await Domain(limits: .without())
        let thing = try await domain.code()
        let path = domain.folder.appending(path: "copy.sqlite").path
        async let writes = concurrently(200) { ordinal in
            try await domain.store.write { store in
                for half in 0..<2 {
                    var one = thing
                    (one.key, one.subject) = ([UInt8(ordinal), UInt8(half)], "pair \(ordinal)")
                    try store.save(one)
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
}
