/// What a verification reads of a key, without owning it: to retain a key for each token would have all cores contend for its count.
/// Good as long as the ``VerificationKey`` it was taken from.
@safe
struct BorrowedKey: @unchecked Sendable {
    let group: KeyGroup?
    private let algorithms: AlgorithmSet
    private let refusal: VerificationError.Code?
    private let bits: Int
    let handle: OpenSSLKey.Borrowed?
    // SAFETY: the ``VerificationKey`` keeps it.
    private let kernelKey: Unmanaged<KernelKey>?

    init(_ facts: KeyFacts, _ kernelKey: KernelKey?) {
        group = facts.group
        algorithms = facts.algorithms
        refusal = facts.refusal
        bits = facts.bits
        handle = facts.handle?.borrowed
        unsafe self.kernelKey = kernelKey.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// What the kernels say; nil where libcrypto is to be asked.
    @inline(__always)
    func kernelVerdict(_ row: SignatureAlgorithm.Row, message: Span<UInt8>, signature: Span<UInt8>) -> Bool? {
        guard let kernelKey = unsafe kernelKey else { return nil }
        return unsafe kernelKey._withUnsafeGuaranteedRef { $0.verifies(row, message: message, signature: signature) }
    }

    /// The key's table for a batch, within a read-side critical section alone.
    @unsafe
    func loadTable() -> (KernelFamily, KeyTable)? {
        guard let kernelKey = unsafe kernelKey else { return nil }
        return unsafe kernelKey._withUnsafeGuaranteedRef { unsafe $0.loadTable() }
    }

    /// Why the key does not serve a token of `algorithm`; nil if it does. What fits nothing is said before what is too weak.
    func refusal(for algorithm: SignatureAlgorithm) -> VerificationError.Code? {
        if !algorithms.contains(algorithm) { return .keyAlgorithmMismatch }
        if let refusal { return refusal }
        return algorithm.isSymmetric && bits < 8 * algorithm.row.secretLength ? .weakKey : nil
    }
}
