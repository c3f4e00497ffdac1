import CForkCheck
import CReadCopyUpdate
import Testing

/// Where the kernel has no membarrier, readers fence for themselves. Not run under ThreadSanitizer, which allows no threads in a child.
struct FencingReadersTests {
    @Test
    func aReaderThatFencesNeverMeetsWhatWasFreed() { #expect(cfork_fencing_readers_are_safe() == 1) }

    @Test
    func otherProcessesAreNotConcerned() {
        let before = crcu_readers_fence()
        _ = cfork_fencing_readers_are_safe()
        #expect(crcu_readers_fence() == before)
    }
}
