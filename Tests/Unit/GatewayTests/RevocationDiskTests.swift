#if os(Linux)
import CForkCheck
import Gateway
import Glibc
import JWTCore
import JWTTestSupport
import Testing

/// A disk without room for a line: here a limit for the size of files, in a child of its own.
@Suite(.serialized) struct RevocationDiskTests {
    nonisolated(unsafe) private static var path = ""

    @Test func aLineThatWasCutOffIsNotInFrontOfTheNext() throws {
        let folder = try TemporaryFolder()
        unsafe Self.path = "\(folder.path)/log"
        #expect(cfork_child_says { RevocationDiskTests.outcome() } == 10)
        let log = try RevocationLog(path: "\(folder.path)/log", now: 0)
        #expect(log.entries == ["1", "3"].map { .init(.tokenID($0)) })
    }

    /// 10 if each step is as it is to be, otherwise the number of the step.
    private static func outcome() -> Int32 {
        signal(SIGXFSZ, SIG_IGN)
        let path = unsafe path, reader = RevocationLogReader(path: path)
        guard let log = try? RevocationLog(path: path, now: 0), appends("1", to: log) == nil else { return 1 }
        // The second line begins within the limit, and so does the new file with the first one.
        limitFiles(to: 60)
        guard appends("2", to: log) == .writeFailed, reader.look().entries.count == 1, reader.fault == nil else { return 2 }
        guard appends("2", to: log) == .writeFailed, log.entries.count == 1 else { return 3 }
        limitFiles(to: 1 << 20)
        guard appends("3", to: log) == nil, log.entries.count == 2 else { return 4 }
        let looked = reader.look().entries
        return looked.contains(.init(.tokenID("3"))) && reader.fault == nil ? 10 : 5
    }

    private static func appends(_ name: String, to log: RevocationLog) -> RevocationLogFailure.Code? {
        do throws(RevocationLogFailure) {
            try log.append([.init(.tokenID(name))], now: 0)
            return nil
        } catch {
            return error.code
        }
    }

    private static func limitFiles(to bytes: UInt) {
        var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
}
#endif
