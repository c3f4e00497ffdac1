internal import CJWTKernels

/// Computes `Span.hash` over bytes that arrive one by one.
struct RunningHash {
    private var hash: UInt64 = 0
    private var word: UInt64 = 0
    private var count: UInt64 = 0

    /// The hash of the bytes so far.
    var value: UInt64 { cjwt_hash_step(cjwt_hash_step(hash, word), count) }

    mutating func add(_ byte: UInt8) {
        word |= UInt64(byte) << (8 * (count % 8))
        count += 1
        guard count % 8 == 0 else { return }
        hash = cjwt_hash_step(hash, word)
        word = 0
    }
}
