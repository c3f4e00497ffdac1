import CJWTKernels
import CKernelAgreement
import Testing

/// Every kernel that this CPU supports follows its specification. The comparison itself is in C, in `CKernelAgreement`: it makes tens of
/// millions of comparisons, against guard pages.
///
/// Serialised because the UTF-8 check forces the choice of kernels for the whole process.
@Suite(.serialized)
struct KernelAgreementTests {
    private static let availableKernels = ["generic", "avx2", "avx512", "neon"].filter { (name: String) in
        unsafe cjwt_kernels_named(name) != nil
    }

    @Test(arguments: ["base64url", "span", "utf8", "json_issuer"], availableKernels)
    func everyKernelAnswersAsItsSpecificationDoes(check: String, kernels: String) {
        #expect(firstDisagreement(check, of: kernels) == nil)
    }

    /// The choice of kernels, the tape, memory that is kept or lent, and equality.
    @Test(arguments: ["dispatch", "json_tape", "kept", "equality", "scratch"])
    func whatAllKernelsShareKeepsItsContract(check: String) {
        #expect(firstDisagreement(check, of: "generic") == nil)
    }
}

/// Runs a check of `CKernelAgreement` and returns its description of the first disagreement, or nil.
private func firstDisagreement(_ check: String, of kernels: String) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { message in
        // SAFETY: the check writes at most `count` bytes, the last of them zero, and keeps no pointer.
        let count = unsafe ckernel_disagreements(check, kernels, message.baseAddress!, message.count)
        return unsafe count == 0 ? nil : "\(count) disagreements, the first: \(String(cString: message.baseAddress!))"
    }
}
