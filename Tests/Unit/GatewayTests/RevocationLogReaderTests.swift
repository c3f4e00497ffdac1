import Foundation
import Gateway
import JWTCore
import JWTTestSupport
import Testing

/// The log of revocations, as another process reads it.
struct RevocationLogReaderTests {
    private static let header = "{\"assay\":\"revocation-log\",\"version\":1}\n"

    private let folder: TemporaryFolder
    private let reader: RevocationLogReader
    private var path: String { "\(folder.path)/log" }

    init() throws {
        folder = try TemporaryFolder()
        reader = RevocationLogReader(path: "\(folder.path)/log")
    }

    private func looked() -> [RevocationList.Entry] {
        var entries: [RevocationList.Entry] = [], hasMore = true
        while hasMore {
            let look = reader.look()
            entries += look.entries
            hasMore = look.hasMore
        }
        return entries
    }

    private func append(_ text: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test
    func whatTheWriterAddsComesOnce() throws {
        #expect(looked().isEmpty)
        #expect(reader.fault?.code == .missing)
        let log = try RevocationLog(path: path, now: 0)
        #expect(looked().isEmpty)
        #expect(reader.fault == nil)
        try log.append([.init(.sessionID("1")), .init(until: 5, .sessionID("2"))], now: 0)
        #expect(looked() == [.init(.sessionID("1")), .init(until: 5, .sessionID("2"))])
        #expect(looked().isEmpty)
        try log.append([.init(.sessionID("3"))], now: 0)
        #expect(looked() == [.init(.sessionID("3"))])
    }

    @Test
    func onlyAWholeLineIsTaken() throws {
        _ = try folder.write("log", "")
        #expect(looked().isEmpty)
        for part in [String(Self.header.prefix(9)), String(Self.header.dropFirst(9)) + "{\"sid\"", ":\"1\"}"] {
            try append(part)
            #expect(looked().isEmpty)
            #expect(reader.fault == nil)
        }
        try append("\n")
        #expect(looked() == [.init(.sessionID("1"))])
    }

    @Test
    func aLineThatIsNoEntryIsAFaultAndWhatFollowsCounts() throws {
        let lines: [String] = ["{\"sid\":2}", "", String(repeating: "x", count: 16_384), String(repeating: "y", count: 3 << 20)]
        for line in lines {
            _ = try folder.write("log", Self.header + "{\"sid\":\"1\"}\n" + line + "\n{\"sid\":\"3\"}\n")
            #expect(looked() == [.init(.sessionID("1")), .init(.sessionID("3"))])
            #expect(reader.fault?.code == .corruptLine)
            #expect(reader.fault?.line == 3)
        }
        _ = try folder.write("log", Self.header + "{\"sid\":\"1\"}\n")
        #expect(looked() == [.init(.sessionID("1"))])
        #expect(reader.fault == nil)
    }

    @Test(arguments: [
        ("{\"assay\":\"revocation-log\",\"version\":2}\n", RevocationLogFailure.Code.unsupportedVersion), ("x\n", .foreignFile),
    ])
    func anotherFileBringsNothing(start: String, code: RevocationLogFailure.Code) throws {
        _ = try folder.write("log", start + "{\"sid\":\"1\"}\n")
        #expect(looked().isEmpty)
        #expect(reader.fault?.code == code)
    }

    @Test
    func aReplacedFileAndAShorterOneAreReadAnew() throws {
        _ = try folder.write("log", Self.header + "{\"sid\":\"1\"}\n{\"sid\":\"2\"}\n")
        #expect(looked().count == 2)
        // Of the same size, in another file.
        _ = try folder.write("log", Self.header + "{\"sid\":\"3\"}\n{\"sid\":\"4\"}\n")
        #expect(looked() == [.init(.sessionID("3")), .init(.sessionID("4"))])
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: UInt64((Self.header + "{\"sid\":\"3\"}\n").utf8.count))
        #expect(looked() == [.init(.sessionID("3"))])
        try FileManager.default.removeItem(atPath: path)
        #expect(looked().isEmpty)
        #expect(reader.fault?.code == .missing)
    }

    @Test
    func aFileThatIsGoneIsReadToItsEnd() throws {
        let lines = (0..<10_000).map { "{\"sid\":\"session-\($0)-of-many-that-end\"}\n" }.joined()
        _ = try folder.write("log", Self.header + lines)
        let first = reader.look()
        #expect(first.hasMore)
        try FileManager.default.removeItem(atPath: path)
        #expect(first.entries.count + looked().count == 10_000)
        #expect(reader.fault?.code == .missing)
    }

    @Test
    func aLinkAndAFileThatOthersMayWriteAreNotRead() throws {
        _ = try folder.write("elsewhere", Self.header + "{\"sid\":\"1\"}\n")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder.path)/elsewhere")
        #expect(looked().isEmpty)
        #expect(reader.fault?.code == .notRegular)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: "\(folder.path)/elsewhere", toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        #expect(looked().isEmpty)
        #expect(reader.fault?.code == .notPrivate)
    }

    @Test
    func aHundredThousandEntriesComeInPartsAndOutliveANewFile() throws {
        let log = try RevocationLog(path: path, now: 0), revocations = Revocations()
        let entries = (0..<100_000).map { RevocationList.Entry(issuer: "https://a.example", until: 9, .sessionID("session-\($0)")) }
        try log.append(entries, now: 0)
        var looks = 0, hasMore = true
        while hasMore {
            let look = reader.look()
            #expect(look.entries.count < 20_000)
            revocations.add(look.entries)
            hasMore = look.hasMore
            looks += 1
        }
        // Each byte is read once, but for the beginning of a line that a part cut off.
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(looks == size / (1 << 18) + 1)
        #expect(revocations.signalledCount == 100_000)
        // Each entry is copied once at most for all the tables that became too small.
        #expect(revocations.copies <= 131_072 && revocations.bytes < 32 << 20)
        try log.append([.init(.sessionID("last"))], now: 10)
        revocations.add(looked())
        #expect(revocations.signalledCount == 100_001)
        revocations.removeExpired(at: 10)
        #expect(revocations.signalled == [.init(.sessionID("last"))])
    }
}
