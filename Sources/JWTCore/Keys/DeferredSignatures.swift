internal import CReadCopyUpdate

/// Signatures that are judged together: those of one kind eight at a time, if the CPU has the instructions and the keys have tables. Each
/// gets the verdict that it gets alone. Holds copies, one behind the other.
package struct DeferredSignatures: Sendable {
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    fileprivate struct Entry {
        let algorithm: SignatureAlgorithm
        let key: VerificationKey
        let message: Range<Int>
        let signature: Range<Int>
    }

    /// Judged with one another.
    private static let run = 64

    package init() {}

    package var count: Int { entries.count }

    /// - Returns: the place of the signature's verdict.
    package mutating func append(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Int {
        let start = bytes.count
        // SAFETY: copied before the closures end.
        unsafe message.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        let middle = bytes.count
        unsafe signature.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        entries.append(Entry(algorithm: algorithm, key: key, message: start..<middle, signature: middle..<bytes.count))
        return entries.count - 1
    }

    /// The verdict on each, in order.
    package func verdicts() -> [Bool] {
        var verdicts: [Bool] = []
        verdicts.reserveCapacity(entries.count)
        for (entry, judgement) in zip(entries, judgements()) { verdicts.append(judgement.map { settled($0, entry) } ?? verify(entry)) }
        return verdicts
    }

    /// The final verdict: in shadow mode, at each interval, that of libcrypto.
    private func settled(_ verdict: KernelVerdict, _ entry: Entry) -> Bool {
        Engine.settled(verdict.isGood, by: verdict.family) {
            entry.key.borrowed.handle?.verifiesByReference(
                entry.algorithm.row, message: bytes.span.extracting(entry.message), signature: bytes.span.extracting(entry.signature))
        }
    }

    private func verify(_ entry: Entry) -> Bool {
        SignatureEngine.verify(
            entry.algorithm, key: entry.key, message: bytes.span.extracting(entry.message),
            signature: bytes.span.extracting(entry.signature))
    }

    /// The kernels' verdict on each; nil where they leave it to the path of a single signature.
    func kernelVerdicts() -> [Bool?] { judgements().map { $0?.isGood } }

    private func judgements() -> [KernelVerdict?] {
        var judgements = [KernelVerdict?](repeating: nil, count: entries.count), pending: [PendingSignature] = unsafe []
        unsafe pending.reserveCapacity(min(Self.run, entries.count))
        for first in stride(from: 0, to: entries.count, by: Self.run) {
            unsafe judge(first..<min(first + Self.run, entries.count), &pending, &judgements)
        }
        return judgements
    }

    @unsafe
    private func judge(_ run: Range<Int>, _ pending: inout [PendingSignature], _ judgements: inout [KernelVerdict?]) {
        guard let reader = unsafe crcu_enter() else { return }
        defer { unsafe crcu_leave(reader) }
        unsafe pending.removeAll(keepingCapacity: true)
        // SAFETY: tables are loaded and used within the section; `bytes` does not change while its pointer is used.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            for place in run {
                guard let signature = unsafe entries[place].pending(in: bytes, place) else { continue }
                unsafe pending.append(signature)
            }
            unsafe pending.withUnsafeMutableBufferPointer { all in
                var signatures = unsafe SignatureBatch(all)
                unsafe signatures.judge()
            }
        }
        for place in unsafe pending.indices {
            let family = unsafe pending[place].family
            unsafe judgements[pending[place].token] = pending[place].verdict.map { KernelVerdict(isGood: $0, family: family) }
        }
    }
}

extension DeferredSignatures.Entry {
    /// Nil without a table that takes the signature.
    @unsafe
    fileprivate func pending(in bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> PendingSignature? {
        let length = algorithm.row.signatureLength
        guard key.borrowed.refusal(for: algorithm) == nil, length == 0 || signature.count == length,
            let (family, table) = unsafe key.borrowed.loadTable(), table.takes(signatureOf: signature.count, family)
        else { return nil }
        return unsafe PendingSignature(
            family: family, table: table, algorithm: algorithm, message: UnsafeBufferPointer(rebasing: bytes[message]),
            signature: UnsafeBufferPointer(rebasing: bytes[signature]), token: place, keyPosition: 0)
    }
}
