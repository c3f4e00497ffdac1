/// What a verification reads of a key, without owning it: to retain a key for each token would have all cores contend for its count.
/// Good as long as the ``VerificationKey`` it was taken from.
struct BorrowedKey: Sendable {
    let group: KeyGroup?
    private let algorithms: AlgorithmSet
    private let refusal: VerificationError.Code?
    private let bits: Int
    let handle: OpenSSLKey.Borrowed?

    init(_ facts: KeyFacts) {
        group = facts.group
        algorithms = facts.algorithms
        refusal = facts.refusal
        bits = facts.bits
        handle = facts.handle?.borrowed
    }

    /// Why the key does not serve a token of `algorithm`; nil if it does. What fits nothing is said before what is too weak.
    func refusal(for algorithm: SignatureAlgorithm) -> VerificationError.Code? {
        if !algorithms.contains(algorithm) { return .keyAlgorithmMismatch }
        if let refusal { return refusal }
        return algorithm.isSymmetric && bits < 8 * algorithm.row.secretLength ? .weakKey : nil
    }
}
