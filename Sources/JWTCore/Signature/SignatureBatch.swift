internal import CJWTKernels
internal import COpenSSL

/// A signature that waits to be judged beside others. It points into memory that its batch keeps.
@safe
struct PendingSignature: BitwiseCopyable {
    let family: KernelFamily
    let table: KeyTable
    let algorithm: SignatureAlgorithm
    let message: UnsafeBufferPointer<UInt8>
    let signature: UnsafeBufferPointer<UInt8>
    /// The place of its token in the batch, and that of its key in the set.
    let token: Int
    let keyPosition: Int
    /// Nil until judged, and where the kernels leave it to libcrypto.
    var verdict: Bool?

    /// Whether both can go through the same kernel at once: keys may differ, the arithmetic may not.
    func isLike(_ other: PendingSignature) -> Bool {
        unsafe family == other.family && algorithm == other.algorithm && signature.count == other.signature.count
    }
}

/// Judges signatures eight at a time. Each gets the verdict it would get alone: lanes share instructions and nothing else.
@safe
struct SignatureBatch {
    /// Fewer than these go one by one: eight lanes take as long for one as for eight, about what five single ones do.
    private static let leastLanes = 5
    private static let lanes = 8

    let pending: UnsafeMutableBufferPointer<PendingSignature>
    private var isTaken: UInt64 = 0

    /// - Parameter pending: at most 64.
    init(_ pending: UnsafeMutableBufferPointer<PendingSignature>) { unsafe self.pending = pending }

    /// Gives each its verdict, except those that are left to libcrypto.
    mutating func judge() {
        for first in unsafe pending.indices where isTaken & 1 << UInt64(first) == 0 {
            var group = InlineArray<8, Int>(repeating: first)
            let count = take(from: first, into: &group)
            let family = unsafe pending[first].family
            if count < Self.leastLanes || family.tier < .ifma { continue }
            switch family {
            case .p256IFMA: judgeECDSA(group, count)
            case .ed25519IFMA: judgeEd25519(group, count)
            case .rsaIFMA: judgeRSA(group, count)
            default: break
            }
        }
    }

    /// Takes `first` and up to seven like it that nobody has taken.
    private mutating func take(from first: Int, into group: inout InlineArray<8, Int>) -> Int {
        var count = 0
        var candidate = first
        while unsafe candidate < pending.count, count < Self.lanes {
            if isTaken & 1 << UInt64(candidate) == 0, unsafe pending[candidate].isLike(pending[first]) {
                isTaken |= 1 << UInt64(candidate)
                group[count] = candidate
                count += 1
            }
            candidate += 1
        }
        return count
    }

    // One kind each

    private func judgeECDSA(_ group: InlineArray<8, Int>, _ count: Int) {
        var hashes = InlineArray<512, UInt8>(repeating: 0)
        guard digest(group, count, into: &hashes) else { return }
        var verdicts = InlineArray<8, cjwt_verdict>(repeating: CJWT_UNDECIDED)
        unsafe withLanes(group, count, hashes) { tables, hashes, signatures in
            var out = verdicts.mutableSpan
            unsafe out.withUnsafeMutableBufferPointer { unsafe cjwt_p256_ifma_verify8($0.baseAddress, tables, hashes, signatures) }
        }
        note(verdicts, group, count)
    }

    private func judgeEd25519(_ group: InlineArray<8, Int>, _ count: Int) {
        var hashes = InlineArray<512, UInt8>(repeating: 0)
        guard digestEd25519(group, count, into: &hashes) else { return }
        var verdicts = InlineArray<8, cjwt_verdict>(repeating: CJWT_UNDECIDED)
        unsafe withLanes(group, count, hashes) { tables, hashes, signatures in
            var out = verdicts.mutableSpan
            unsafe out.withUnsafeMutableBufferPointer { unsafe cjwt_ed25519_ifma_verify8($0.baseAddress, tables, hashes, signatures) }
        }
        note(verdicts, group, count)
    }

    private func judgeRSA(_ group: InlineArray<8, Int>, _ count: Int) {
        var hashes = InlineArray<512, UInt8>(repeating: 0)
        let row = unsafe pending[group[0]].algorithm.row
        let length = unsafe pending[group[0]].signature.count
        guard digest(group, count, into: &hashes), length <= Kernels.modulusBytes,
            let encoded = unsafe cjwt_scratch_acquire(Self.lanes * Kernels.modulusBytes)
        else { return }
        defer { unsafe cjwt_scratch_release(encoded) }
        let start = unsafe encoded.assumingMemoryBound(to: UInt8.self)
        var outputs = unsafe InlineArray<8, UnsafeMutablePointer<UInt8>?>(repeating: nil)
        for lane in 0..<count { unsafe outputs[lane] = start + lane * Kernels.modulusBytes }
        var results = InlineArray<8, Int32>(repeating: 0)
        unsafe withLanes(group, count, hashes) { tables, _, signatures in
            var out = results.mutableSpan
            unsafe out.withUnsafeMutableBufferPointer { out in
                unsafe outputs.span.withUnsafeBufferPointer {
                    unsafe cjwt_rsa_ifma_power8(out.baseAddress, tables, $0.baseAddress, signatures)
                }
            }
        }
        for lane in 0..<count {
            let isGood = unsafe hashes.span.withUnsafeBufferPointer { hashes in
                guard let hashes = hashes.baseAddress else { return false }
                return unsafe results[lane] == 1
                    && cossl_rsa_padding_matches(row.scheme, row.digest, hashes + 64 * lane, start + lane * Kernels.modulusBytes, length)
                        == 1
            }
            unsafe pending[group[lane]].verdict = isGood
        }
    }

    private func note(_ verdicts: InlineArray<8, cjwt_verdict>, _ group: InlineArray<8, Int>, _ count: Int) {
        for lane in 0..<count where verdicts[lane] != CJWT_UNDECIDED {
            unsafe pending[group[lane]].verdict = verdicts[lane] == CJWT_ACCEPTED
        }
    }

    /// Hands `body` the tables, hashes and signatures of the lanes; lanes without work have no table.
    private func withLanes(
        _ group: InlineArray<8, Int>, _ count: Int, _ hashes: InlineArray<512, UInt8>,
        _ body: (
            UnsafePointer<UnsafeRawPointer?>?, UnsafePointer<UnsafePointer<UInt8>?>?, UnsafePointer<UnsafePointer<UInt8>?>?
        ) -> Void
    ) {
        var tables = unsafe InlineArray<8, UnsafeRawPointer?>(repeating: nil)
        var hashStarts = unsafe InlineArray<8, UnsafePointer<UInt8>?>(repeating: nil)
        var signatures = unsafe InlineArray<8, UnsafePointer<UInt8>?>(repeating: nil)
        unsafe hashes.span.withUnsafeBufferPointer { hashes in
            for lane in 0..<Self.lanes {
                let entry = unsafe pending[group[lane < count ? lane : 0]]
                unsafe tables[lane] = lane < count ? entry.table.kernelTable : nil
                unsafe hashStarts[lane] = hashes.baseAddress.map { unsafe $0 + 64 * (lane < count ? lane : 0) }
                unsafe signatures[lane] = entry.signature.baseAddress
            }
            unsafe tables.span.withUnsafeBufferPointer { tables in
                unsafe hashStarts.span.withUnsafeBufferPointer { hashes in
                    unsafe signatures.span.withUnsafeBufferPointer { signatures in
                        unsafe body(tables.baseAddress, hashes.baseAddress, signatures.baseAddress)
                    }
                }
            }
        }
    }
}
