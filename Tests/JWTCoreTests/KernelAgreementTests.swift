import CJWTKernels
import CKernelAgreement
import Testing

/// Every kernel this CPU can run does what the specification does. The comparing itself is in C, in `CKernelAgreement`: there are
/// tens of millions of comparisons, against guard pages.
///
/// Serialised because the UTF-8 check forces the choice of kernels, which the whole process shares.
@Suite(.serialized)
struct KernelAgreementTests {
    private static let availableKernels = ["generic", "avx2", "avx512", "neon"].filter { (name: String) in
        unsafe cjwt_kernels_named(name) != nil
    }

    @Test(arguments: availableKernels)
    func everyKernelDecodesAsGenericDoes(kernels: String) {
        let first = unsafe firstDisagreement { unsafe ckernel_base64url_disagreements(kernels, $0, $1) }
        #expect(first == nil)
    }

    @Test(arguments: availableKernels)
    func everyKernelEndsSpansAtTheFirstByteThatEndsThem(kernels: String) {
        let first = unsafe firstDisagreement { unsafe ckernel_span_disagreements(kernels, $0, $1) }
        #expect(first == nil)
    }

    @Test(arguments: availableKernels)
    func wellFormedUTF8IsWhatDecodesToAScalarInItsShortestForm(kernels: String) {
        let first = unsafe firstDisagreement { unsafe ckernel_utf8_disagreements(kernels, $0, $1) }
        #expect(first == nil)
    }

    @Test
    func theChoiceOfKernelsCanBeForcedAndGivenBack() {
        let first = unsafe firstDisagreement { unsafe ckernel_dispatch_disagreements($0, $1) }
        #expect(first == nil)
    }

    @Test
    func theTapeIsOfItsTextAloneAndStaysInsideItsMemory() {
        let first = unsafe firstDisagreement { unsafe ckernel_json_tape_disagreements($0, $1) }
        #expect(first == nil)
    }

    @Test
    func keptMemoryKeepsAndIsLentOnceAtATime() {
        let first = unsafe firstDisagreement { unsafe ckernel_kept_disagreements($0, $1) }
        #expect(first == nil)
    }

    @Test
    func bytesAreEqualWhereNoBitDiffers() {
        let first = unsafe firstDisagreement { unsafe ckernel_equality_disagreements($0, $1) }
        #expect(first == nil)
    }

    @Test
    func scratchMemoryIsDistinctWhereNestedAndReusedInSequence() {
        let first = unsafe firstDisagreement { unsafe ckernel_scratch_disagreements($0, $1) }
        #expect(first == nil)
    }
}

/// Runs a check of `CKernelAgreement` and returns its description of the first disagreement, or nil where there is none.
private func firstDisagreement(_ check: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { message in
        // SAFETY: the check writes at most `count` bytes, the last of them zero, and keeps no pointer.
        let count = unsafe check(message.baseAddress!, message.count)
        return unsafe count == 0 ? nil : "\(count) disagreements, the first: \(String(cString: message.baseAddress!))"
    }
}
