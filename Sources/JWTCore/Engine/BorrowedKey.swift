/// The parts of a key that a verification reads, without ownership: if each token retained its key, all cores would contend for one
/// reference count. Valid as long as the key it came from.
@safe
struct BorrowedKey: @unchecked Sendable {
    let curve: Curve?
    private let algorithms: AlgorithmSet
    private let unusableReason: VerificationError.Code?
    private let bits: Int
    let handle: OpenSSLKey.Borrowed?
    // SAFETY: the key that this came from retains it; ``KeySet`` retains its keys, and a verification retains the set.
    private let slot: Unmanaged<KeySlot>?

    init(
        curve: Curve?, algorithms: AlgorithmSet, bits: Int, unusableReason: VerificationError.Code?, handle: OpenSSLKey?,
        kernelKey: KernelKey?
    ) {
        self.curve = curve
        self.algorithms = algorithms
        self.bits = bits
        self.unusableReason = unusableReason
        self.handle = handle?.borrowed
        unsafe slot = kernelKey.map { unsafe Unmanaged.passUnretained($0.slot) }
    }

    /// The kernels' verdict; nil if libcrypto must judge.
    @inline(__always)
    func kernelVerdict(_ row: SignatureAlgorithm.Row, message: Span<UInt8>, signature: Span<UInt8>) -> KernelVerdict? {
        guard let slot = unsafe slot else { return nil }
        return unsafe slot._withUnsafeGuaranteedRef { $0.verdict(row, message: message, signature: signature) }
    }

    /// The key's table for a batch. Call it only within a read-side critical section.
    @unsafe
    func loadTable() -> (KernelFamily, KeyTable)? {
        guard let slot = unsafe slot else { return nil }
        return unsafe slot._withUnsafeGuaranteedRef { unsafe $0.loadTable() }
    }

    /// The reason why the key cannot verify a token of `algorithm`; nil if it can. A mismatch is reported before a weakness.
    func refusal(for algorithm: SignatureAlgorithm) -> VerificationError.Code? {
        if !algorithms.contains(algorithm) { return .keyAlgorithmMismatch }
        if let unusableReason { return unusableReason }
        return algorithm.isSymmetric && bits < 8 * algorithm.row.secretLength ? .weakKey : nil
    }
}
