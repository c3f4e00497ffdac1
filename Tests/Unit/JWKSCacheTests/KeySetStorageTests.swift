import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// The stored set: written as a whole, and accepted only if complete, private, from the same source and from the past.
struct KeySetStorageTests {
    private static let source = "https://idp.example/jwks"
    private static let record = KeySetStorage.Record(
        source: source, fetchedAt: 1_700_000_000, lifetime: 300, document: Array(KeyPool.set(0).utf8))
    private static let secret = Array("an operator's secret of 32 bytes".utf8)

    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/keys" }

    init() throws { folder = try TemporaryFolder() }

    /// A file with ``record``, or with another one.
    private func stored(fetchedAt: Int64 = 1_700_000_000, lifetime: Int64 = 300, _ document: String = KeyPool.set(0)) -> KeySetStorage {
        let storage = KeySetStorage(path: path)
        let record = KeySetStorage.Record(source: Self.source, fetchedAt: fetchedAt, lifetime: lifetime, document: Array(document.utf8))
        #expect(storage.write(record, now: .max))
        return storage
    }

    @Test(arguments: [nil, secret])
    func whatIsWrittenIsReadBack(secret: [UInt8]?) {
        let storage = KeySetStorage(path: path, secret: secret)
        #expect(storage.read(source: Self.source) == .nothing)
        #expect(storage.write(Self.record, now: 1_700_000_100))
        #expect(storage.read(source: Self.source) == .record(Self.record))
    }

    @Test
    func itIsWrittenAsAWholeForItsOwnerAlone() throws {
        let storage = KeySetStorage(path: path)
        for second: Int64 in 0..<3 {
            var record = Self.record
            record.fetchedAt += second
            #expect(storage.write(record, now: record.fetchedAt))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(!KeySetStorage(path: "\(folder.path)/nowhere/keys").write(Self.record, now: 1_700_000_100))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    }

    @Test
    func aNewerRecordIsNotReplacedByAnOlderOne() {
        let storage = stored()
        var older = Self.record
        older.fetchedAt -= 50
        #expect(storage.write(older, now: 1_700_000_100))
        #expect(storage.read(source: Self.source) == .record(Self.record))
    }

    /// A clock that was once years ahead does not prevent later writes.
    @Test
    func aRecordOfTheFutureIsReplaced() {
        let storage = KeySetStorage(path: path)
        var future = Self.record
        future.fetchedAt += 100_000_000
        #expect(storage.write(future, now: future.fetchedAt))
        #expect(storage.write(Self.record, now: 1_700_000_100))
        #expect(storage.read(source: Self.source) == .record(Self.record))
    }

    // Refused files

    @Test(arguments: [nil, secret])
    func oneBitMakesADifference(secret: [UInt8]?) throws {
        let storage = KeySetStorage(path: path, secret: secret)
        var record = Self.record
        record.document = Array("{\"keys\":[]}".utf8)
        #expect(storage.write(record, now: 1_700_000_100))
        let bytes = try Self.contents(path)
        for position in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[position] ^= 1 << bit
                try Self.put(flipped, path)
                guard case .refused = storage.read(source: Self.source) else {
                    Issue.record("bit \(bit) of byte \(position)")
                    continue
                }
            }
        }
    }

    @Test
    func aCutOrLengthenedRecordIsRefused() throws {
        let storage = stored()
        let bytes = try Self.contents(path)
        for length in 0..<bytes.count {
            try Self.put(Array(bytes[..<length]), path)
            #expect(storage.read(source: Self.source) != .record(Self.record))
        }
        try Self.put(bytes + [0x0a], path)
        #expect(storage.read(source: Self.source) == .refused("not a stored key set"))
    }

    /// The secret of the writer and the secret of the reader.
    @Test(
        arguments: [
            (nil, secret), (secret, nil), (secret, Array("another secret of thirty-two byte".utf8)), (secret, secret.reversed()),
        ] as [([UInt8]?, [UInt8]?)])
    func withASecretItHasToBeOfSomebodyWhoKnowsIt(written: [UInt8]?, read: [UInt8]?) {
        #expect(KeySetStorage(path: path, secret: written).write(Self.record, now: 1_700_000_100))
        #expect(KeySetStorage(path: path, secret: read).read(source: Self.source) == .refused("its seal does not match"))
    }

    /// The number of bytes, and whether they are enough.
    @Test(arguments: [(0, false), (31, false), (32, true)])
    func aShortSecretStoresNothingAndAcceptsNothing(count: Int, isEnough: Bool) {
        let storage = KeySetStorage(path: path, secret: Array(repeating: 7, count: count))
        #expect(storage.write(Self.record, now: 1_700_000_100) == isEnough)
        #expect(FileManager.default.fileExists(atPath: path) == isEnough)
        let refused = KeySetStorage.Finding.refused("its secret is shorter than 32 bytes")
        #expect(storage.read(source: Self.source) == (isEnough ? .record(Self.record) : refused))
    }

    @Test
    func aShortSecretIsReported() {
        let observed = ObservedKeys(storage: KeySetStorage(path: path, secret: []), loading: .lazy)
        #expect(observed.log.words == ["stored set refused: its secret is shorter than 32 bytes"])
    }

    @Test(arguments: ["https://idp.example/jwks2", "", "https://idp.example/jwk", "https://\u{131}dp.example/jwks"])
    func aRecordOfAnotherSourceIsRefused(source: String) {
        let storage = stored()
        #expect(storage.read(source: source) == .refused("it is about another source"))
    }

    @Test(arguments: [
        (0o600, true), (0o640, true), (0o644, true), (0o400, true), (0o660, false), (0o620, false), (0o602, false), (0o666, false),
    ])
    func nobodyElseCouldHaveWrittenIt(mode: Int, isBelieved: Bool) throws {
        let storage = stored()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(storage.read(source: Self.source) == (isBelieved ? .record(Self.record) : .refused("another user could have written it")))
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func aRecordOfAnotherUserIsRefused() throws {
        let storage = stored()
        try FileManager.default.setAttributes([.ownerAccountID: 54_321], ofItemAtPath: path)
        #expect(storage.read(source: Self.source) == .refused("another user could have written it"))
    }

    @Test
    func aLinkIsNotFollowedAndADirectoryIsNoFile() throws {
        _ = stored()
        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for path in [link, folder.path, "/dev/zero"] {
            #expect(KeySetStorage(path: path).read(source: Self.source) == .refused("it is not a regular file"))
        }
    }

    /// The holes of a sparse file take no disk space, but would fill a reader's memory.
    @Test(arguments: [528_385, 1 << 40])
    func whatIsTooLargeIsRefusedUnread(size: Int) throws {
        try #require(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: UInt64(size))
        try file.close()
        #expect(KeySetStorage(path: path).read(source: Self.source) == .refused("it is larger than 528384 bytes"))
    }

    @Test
    func aLargeRecordThatIsWithinTheLimitIsReadForItsSeal() throws {
        try Self.put(Array(repeating: 0x0a, count: 528_384), path)
        #expect(KeySetStorage(path: path).read(source: Self.source) == .refused("not a stored key set"))
    }

    // Warm starts

    @Test
    func storedKeysServeAtOnceThoughTheSourceIsDead() {
        let observed = ObservedKeys(storage: stored(), clock: ManualClock(date: 1_700_000_100))
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        #expect(observed.log.words.first == "restored")
        let status = observed.keys.status
        #expect((status.age, status.freshFor, status.believedFor) == (.seconds(100), .seconds(200), .seconds(3_800)))
        #expect(status.generation == 1)
        observed.clock.advance(by: .seconds(3_799))
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        observed.clock.advance(by: .seconds(1))
        #expect(observed.verdict(KeyPool.token(0)) == "keys_unavailable")
    }

    @Test
    func storedKeysAreConfirmedByTheSource() async {
        let transport = ScriptedTransport()
        transport.answer(Self.source, KeyPool.set(0))
        let observed = ObservedKeys(storage: stored(), clock: ManualClock(date: 1_700_000_100), transport: transport)
        #expect(await settles { observed.log.words == ["restored", "started: schedule", "confirmed"] })
        #expect(observed.keys.generation == 1)
        #expect(observed.keys.status.age == .zero)
        #expect(transport.requests.map(\.isConditional) == [false])
        // The next process finds it.
        let found = KeySetStorage(path: path)
        var wanted = Self.record
        wanted.fetchedAt = 1_700_000_100
        let isStored = await settles { [wanted] in found.read(source: Self.source) == .record(wanted) }
        #expect(isStored)
    }

    @Test
    func storedKeysOfALazySetAreConfirmedOnceTheyAreUsed() async {
        let transport = ScriptedTransport()
        transport.answer(Self.source, KeyPool.set(1))
        let observed = ObservedKeys(storage: stored(), loading: .lazy, clock: ManualClock(date: 1_700_000_100), transport: transport)
        #expect(observed.log.words == ["restored"])
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        #expect(await settles { observed.log.words.count > 2 })
        #expect(observed.log.words.prefix(2) == ["restored", "started: schedule"])
        #expect(observed.verdict(KeyPool.token(1)) == "valid" && observed.verdict(KeyPool.token(0)) != "valid")
    }

    @Test(
        arguments: [
            (1_700_000_101, 300, KeyPool.set(0), "it is of the future"), (1_800_000_000, 300, KeyPool.set(0), "it is of the future"),
            (.max, 300, KeyPool.set(0), "it is of the future"), (1_699_996_200, 300, KeyPool.set(0), "it is too old"),
            (0, .max, KeyPool.set(0), "it is too old"), (.min, 300, KeyPool.set(0), "it is too old"),
            (1_700_000_000, .min, KeyPool.set(0), nil),
            (1_699_996_201, 300, KeyPool.set(0), nil), (1_700_000_100, 300, KeyPool.set(0), nil),
            (1_700_000_000, 300, "{\"keys\":[{\"kty\":\"?\"}]}", "it has no usable key"),
            (1_700_000_000, 300, "{\"keys\":[]}", "it has no usable key"),
            (1_700_000_000, 300, "{}", "its document is no key set"), (1_700_000_000, 300, "", "its document is no key set"),
        ] as [(Int64, Int64, String, String?)])
    func storedKeysAreOfThePastAndNotTooOld(fetchedAt: Int64, lifetime: Int64, document: String, refusal: String?) {
        let storage = stored(fetchedAt: fetchedAt, lifetime: lifetime, document)
        let observed = ObservedKeys(storage: storage, loading: .lazy, clock: ManualClock(date: 1_700_000_100))
        #expect(observed.keys.isReady == (refusal == nil))
        #expect(observed.log.words == [refusal.map { "stored set refused: \($0)" } ?? "restored"])
    }

    @Test
    func whatIsStoredIsAsOldAsItsLastConfirmation() async throws {
        let observed = ObservedKeys(storage: KeySetStorage(path: path))
        observed.transport.answer(
            Self.source, KeyPool.set(0), fields: [HeaderField("ETag", "\"1\""), HeaderField("Cache-Control", "max-age=900")])
        await observed.refresh()
        observed.clock.advance(by: .seconds(40))
        observed.transport.answer(Self.source, status: 304)
        await observed.refresh()
        let wanted = KeySetStorage.Record(
            source: Self.source, fetchedAt: 1_700_000_140, lifetime: 900, document: Array(KeyPool.set(0).utf8))
        let found = KeySetStorage(path: path)
        let isStored = await settles { found.read(source: Self.source) == .record(wanted) }
        #expect(isStored)
    }

    /// A record has no format, so it would be read as another kind of document.
    @Test
    func aDocumentInAnotherFormatThanTheFirstSourcesIsNotStored() async {
        let mirror = "https://mirror.example/bundle"
        let observed = ObservedKeys([.jwks(url: Self.source), .spiffeBundle(url: mirror)], storage: KeySetStorage(path: path))
        observed.transport.answer(mirror, KeyPool.set(0).replacing("\"sig\"", with: "\"jwt-svid\""))
        await observed.refresh()
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        for _ in 0..<1_000 { await Task.yield() }
        #expect(KeySetStorage(path: path).read(source: Self.source) == .nothing)
        observed.transport.answer(Self.source, KeyPool.set(1))
        observed.clock.advance(by: .seconds(1))
        await observed.refresh()
        let found = KeySetStorage(path: path)
        #expect(await settles { found.read(source: Self.source) != .nothing })
    }

    private static func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    private static func put(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
