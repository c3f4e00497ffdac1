internal import CReadCopyUpdate

extension SignatureEngine {
    /// Verifies signatures of one key as a batch of tokens does, for vectors that are not tokens.
    ///
    /// - Returns: the kernels' verdict on each; nil if they leave it to libcrypto.
    package static func verify(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, batch: [(message: [UInt8], signature: [UInt8])]
    ) -> [Bool?] {
        stride(from: 0, to: batch.count, by: 64).flatMap { first in
            judge(algorithm, key, batch[first..<min(first + 64, batch.count)])
        }
    }

    private static func judge(
        _ algorithm: SignatureAlgorithm, _ key: VerificationKey, _ cases: ArraySlice<(message: [UInt8], signature: [UInt8])>
    ) -> [Bool?] {
        var verdicts = [Bool?](repeating: nil, count: cases.count)
        guard key.borrowed.refusal(for: algorithm) == nil, let reader = unsafe crcu_enter() else { return verdicts }
        defer { unsafe crcu_leave(reader) }
        // SAFETY: the table is read within the section, and `kept` retains the bytes until all are judged.
        guard let (family, table) = unsafe key.borrowed.loadTable() else { return verdicts }
        let kept = cases.map { KeptBytes($0.message + $0.signature) }
        var pending: [PendingSignature] = unsafe []
        for (place, (bytes, item)) in zip(kept, cases).enumerated() {
            let length = algorithm.row.signatureLength
            guard length == 0 || item.signature.count == length, table.takes(signatureOf: item.signature.count, family) else { continue }
            unsafe pending.append(bytes.pending(family, table, algorithm, messageBytes: item.message.count, place))
        }
        unsafe pending.withUnsafeMutableBufferPointer { all in
            var signatures = unsafe SignatureBatch(all)
            unsafe signatures.judge()
        }
        for place in unsafe pending.indices { unsafe verdicts[pending[place].token] = pending[place].verdict }
        return withExtendedLifetime(kept) { verdicts }
    }
}

/// A message and its signature, at a fixed address while this object exists.
@safe
private final class KeptBytes {
    // SAFETY: allocated and filled here, freed in deinit.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        unsafe self.bytes = .allocate(capacity: bytes.count)
        _ = unsafe self.bytes.initialize(from: bytes)
    }

    deinit { unsafe bytes.deallocate() }

    @unsafe
    func pending(
        _ family: KernelFamily, _ table: KeyTable, _ algorithm: SignatureAlgorithm, messageBytes: Int, _ place: Int
    ) -> PendingSignature {
        unsafe PendingSignature(
            family: family, table: table, algorithm: algorithm, message: UnsafeBufferPointer(rebasing: bytes[..<messageBytes]),
            signature: UnsafeBufferPointer(rebasing: bytes[messageBytes...]), token: place, keyPosition: 0)
    }
}
