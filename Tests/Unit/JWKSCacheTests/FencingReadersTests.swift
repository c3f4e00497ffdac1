import CForkCheck
import CReadCopyUpdate
import Testing

/// Without membarrier in the kernel, readers use their own fences. Not run under ThreadSanitizer, which allows no threads in a child.
struct FencingReadersTests {
    @Test
    func aReaderThatFencesNeverMeetsWhatWasFreed() { #expect(cfork_fencing_readers_are_safe() == 1) }

    #if os(Linux)
    @Test
    func aForbiddenMembarrierFreesNothingUnderAReader() {
        #expect(cfork_sandboxed_readers_are_safe() == 1)
    }
    #endif

    @Test
    func otherProcessesAreNotConcerned() {
        let before = crcu_readers_fence()
        _ = cfork_fencing_readers_are_safe()
        #expect(crcu_readers_fence() == before)
    }
}
