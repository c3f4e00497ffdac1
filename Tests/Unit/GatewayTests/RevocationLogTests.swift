import Foundation
import Gateway
import JWTCore
import JWTTestSupport
import Testing

/// The log of revocations, as its writer has it.
struct RevocationLogTests {
    private static let header = "{\"assay\":\"revocation-log\",\"version\":1}\n"
    private static let now: NumericDate = 1_000

    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/log" }

    init() throws { folder = try TemporaryFolder() }

    private var lineCount: Int { folder.bytes("log").count { $0 == UInt8(ascii: "\n") } }

    private func opened(limit: Int = 100, now: NumericDate = Self.now) throws(RevocationLogFailure) -> RevocationLog {
        try RevocationLog(path: path, now: now, limit: limit)
    }

    private func codeOfOpening() -> RevocationLogFailure.Code? {
        do throws(RevocationLogFailure) {
            _ = try opened()
            return nil
        } catch {
            return error.code
        }
    }

    private static let entries: [RevocationList.Entry] = [
        .init(issuer: "https://a.example", until: 2_000, .sessionID("s1")), .init(.subject("a\n\"\u{0}\u{e9}\u{1f600}")),
        .init(until: 3_000, .subjectBefore("u1", 900)), .init(issuer: "https://a.example", .keyID("k")), .init(.tokenID("t")),
        .init(issuer: "b", .issuedBefore(7)),
    ]

    @Test
    func aRestartFindsTheEntries() throws {
        do {
            let log = try opened()
            #expect(log.entries.isEmpty)
            try log.append(Array(Self.entries[..<2]), now: Self.now)
            try log.append(Array(Self.entries[2...]), now: Self.now)
            #expect(log.entries == Self.entries)
        }
        #expect(try opened().entries == Self.entries)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(folder.read("log").hasPrefix(Self.header + #"{"issuer":"https://a.example","sid":"s1","until":2000}"# + "\n"))
    }

    @Test
    func aFractionOfASecondCountsAsASecond() throws {
        let half = NumericDate(seconds: 5, nanoseconds: 500_000_000)
        do { try opened().append([.init(until: half, .subjectBefore("u1", half))], now: Self.now) }
        #expect(try opened(now: 6).entries == [.init(until: 6, .subjectBefore("u1", 6))])
    }

    @Test(arguments: ["{", "{\"sid\":\"s3\"}", "\u{0}\u{0}\u{0}\u{0}"])
    func aLastLineWithoutAnEndIsDropped(torn: String) throws {
        _ = try folder.write("log", Self.header + "{\"sid\":\"s1\"}\n" + torn)
        do {
            let log = try opened()
            #expect(log.entries == [.init(.sessionID("s1"))])
            try log.append([.init(.sessionID("s2"))], now: Self.now)
        }
        #expect(folder.read("log") == Self.header + "{\"sid\":\"s1\"}\n{\"sid\":\"s2\"}\n")
    }

    @Test(arguments: ["", "{\"assay\"", String(header.dropLast())])
    func aLogThatWasNotBegunIsBegun(start: String) throws {
        _ = try folder.write("log", start)
        _ = try opened()
        #expect(folder.read("log") == Self.header)
    }

    @Test(
        arguments: [
            "", "{}", "[]", "{\"sid\":", "{\"sid\":\"\"}", "{\"sid\":\"s\",\"sub\":\"u\"}", "{\"sid\":\"s\",\"iss\":\"u\"}",
            "{\"sid\":\"s\",\"sid\":\"t\"}", "{\"sid\":\"s\",\"until\":-1}", "{\"sid\":\"s\",\"until\":1.5}",
            "{\"sid\":\"s\",\"until\":\"1\"}", "{\"sid\":\"s\",\"until\":null}", "{\"sid\":\"s\",\"issuedBefore\":1}",
            "{\"sid\":\"\(String(repeating: "s", count: 16_384))\"}", "{\"assay\":\"revocation-log\",\"version\":1}",
        ] as [String])
    func aLineThatIsNoEntryIsNamedAndTheFileStays(line: String) throws {
        let text = "\(Self.header){\"sid\":\"s1\"}\n\(line)\n{\"sid\":\"s2\"}\n"
        _ = try folder.write("log", text)
        let failure = #expect(throws: RevocationLogFailure.self) { try opened() }
        #expect(failure?.code == .corruptLine)
        #expect(failure?.line == 3)
        #expect(folder.read("log") == text)
    }

    @Test(arguments: ["{\"sid\":\"s1\"}\n", "root:x:0:0\n", "root", "\n"] as [String])
    func anotherFileIsRefusedAndStays(text: String) throws {
        _ = try folder.write("log", text)
        let failure = #expect(throws: RevocationLogFailure.self) { try opened() }
        #expect(failure?.code == .foreignFile)
        #expect(folder.read("log") == text)
    }

    @Test
    func anotherVersionIsRefused() throws {
        _ = try folder.write("log", "{\"assay\":\"revocation-log\",\"version\":2}\n")
        let failure = #expect(throws: RevocationLogFailure.self) { try opened() }
        #expect(failure?.code == .unsupportedVersion)
    }

    @Test
    func aLinkAFolderAndAFileThatOthersMayWriteAreRefused() throws {
        let files = FileManager.default
        _ = try folder.write("elsewhere", "")
        try files.createSymbolicLink(atPath: path, withDestinationPath: "\(folder.path)/elsewhere")
        #expect(codeOfOpening() == .notRegular)
        try files.removeItem(atPath: path)
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: RevocationLogFailure.self) { try opened() }
        try files.removeItem(atPath: path)
        _ = try folder.write("log", "")
        try files.setAttributes([.posixPermissions: 0o660], ofItemAtPath: path)
        #expect(codeOfOpening() == .notPrivate)
        #expect(folder.read("elsewhere").isEmpty)
    }

    @Test
    func aLogHasOneWriter() throws {
        let first = try opened()
        #expect(codeOfOpening() == .inUse)
        try first.append([.init(.sessionID("s1"))], now: Self.now)
        #expect(first.entries.count == 1)
    }

    @Test(arguments: [RevocationList.Subject.sessionID(""), .subject(String(repeating: "u", count: 16_384)), .issuedBefore(-5)])
    func anEntryThatHasNoLineIsRefused(subject: RevocationList.Subject) throws {
        let log = try opened()
        let failure = #expect(throws: RevocationLogFailure.self) { try log.append([.init(.tokenID("t")), .init(subject)], now: Self.now) }
        #expect(failure?.code == .invalidEntry)
        #expect(log.entries.isEmpty)
        #expect(folder.read("log") == Self.header)
    }

    @Test
    func aFullLogTakesNothingUntilEntriesHaveEnded() throws {
        let log = try opened(limit: 2)
        try log.append([.init(until: 1_500, .tokenID("1")), .init(until: 1_600, .tokenID("2"))], now: Self.now)
        let failure = #expect(throws: RevocationLogFailure.self) {
            try log.append([.init(until: 1_900, .tokenID("1")), .init(.tokenID("3"))], now: 1_500)
        }
        #expect(failure?.code == .full)
        #expect(log.entries == [.init(until: 1_500, .tokenID("1")), .init(until: 1_600, .tokenID("2"))])
        try log.append([.init(until: 1_700, .tokenID("1"))], now: 1_500)
        try log.append([.init(.tokenID("3"))], now: 1_601)
        #expect(log.entries == [.init(until: 1_700, .tokenID("1")), .init(.tokenID("3"))])
    }

    @Test
    func endedEntriesAreLeftOutAtTheStart() throws {
        do { try opened().append([.init(until: 999, .tokenID("1")), .init(until: 1_000, .tokenID("2"))], now: 500) }
        #expect(try opened().entries == [.init(until: 1_000, .tokenID("2"))])
    }

    @Test
    func theFileIsWrittenAnewWhenMostOfItHasEnded() throws {
        let log = try opened(limit: 100_000)
        for round in 0..<10 {
            let end = NumericDate(seconds: Int64(100 * round + 50))
            try log.append((0..<2_000).map { .init(until: end, .tokenID("\(round)-\($0)")) }, now: NumericDate(seconds: Int64(100 * round)))
        }
        #expect(lineCount < 12_000)
        let last = (0..<2_000).map { RevocationList.Entry(until: 950, .tokenID("9-\($0)")) }
        #expect(Set(log.entries).isSuperset(of: last))
        #expect(!FileManager.default.fileExists(atPath: "\(path).new"))
    }

    @Test
    func aFileThatWasMovedAwayIsWrittenAnew() throws {
        let log = try opened()
        try log.append([.init(.tokenID("1"))], now: Self.now)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).old")
        try log.append([.init(.tokenID("2"))], now: Self.now)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(folder.read("log") == Self.header + "{\"jti\":\"1\"}\n{\"jti\":\"2\"}\n")
    }

    @Test
    func callsAtTheSameTimeAreAllWritten() throws {
        let log = try opened(limit: 10_000)
        onThreads(8) { thread in
            for round in 0..<25 { try? log.append([.init(.tokenID("\(thread)-\(round)"))], now: Self.now) }
        }
        #expect(log.entries.count == 200)
        #expect(lineCount == 201)
    }
}
