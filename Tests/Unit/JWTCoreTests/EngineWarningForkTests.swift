#if os(Linux)
import CForkCheck
import Glibc
import JWTCore
import JWTTestSupport
import Locks
import Synchronization
import Testing

/// The warning of an unknown `ASSAY_ENGINE`, where standard error is a full pipe.
@Suite(.tierTurn)
struct EngineWarningForkTests {
    nonisolated(unsafe) private static var sample: VerificationKey?
    private static let loaded = Atomic(0)

    /// The thread that warns waits for the reader. Others load keys meanwhile.
    @Test
    func aWarningThatNobodyReadsKeepsOneThread() {
        unsafe Self.sample = Forges.es256.keySet.keys[0]
        let verdict = cfork_child_says {
            guard let sample = unsafe EngineWarningForkTests.sample, EngineWarningForkTests.fillStandardError() else { return 11 }
            unsafe setenv("ASSAY_ENGINE", "fastest", 1)
            for _ in 0..<2 {
                let starts = BackgroundThread.start {
                    if KernelKey(sample, tables: .shared) != nil { EngineWarningForkTests.loaded.wrappingAdd(1, ordering: .relaxed) }
                }
                guard starts else { return 12 }
            }
            while EngineWarningForkTests.loaded.load(ordering: .relaxed) == 0 { sched_yield() }
            return 10
        }
        #expect(verdict == 10)
        unsafe Self.sample = nil
    }

    /// Makes standard error a pipe without room.
    private static func fillStandardError() -> Bool {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0, dup2(ends[1], STDERR_FILENO) >= 0 else { return false }
        let flags = fcntl(STDERR_FILENO, F_GETFL)
        guard fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK) == 0 else { return false }
        while unsafe write(STDERR_FILENO, "-", 1) == 1 {}
        return errno == EAGAIN && fcntl(STDERR_FILENO, F_SETFL, flags) == 0
    }
}
#endif
