internal import CJWTKernels
internal import COpenSSL

/// A signature that waits to be judged together with others.
///
/// It points into memory that it does not own: the token, its decoded signature, and the table of its key. The caller that makes one
/// retains the first two, and stays in the read-side critical section that loaded the table, until all are judged.
@unsafe
struct PendingSignature: BitwiseCopyable {
    let family: KernelFamily
    let table: KeyTable
    let algorithm: SignatureAlgorithm
    let message: UnsafeBufferPointer<UInt8>
    let signature: UnsafeBufferPointer<UInt8>
    /// The index of its token in the batch, and of its key in the set.
    var token = 0
    let keyPosition: Int
    /// Nil until judged, and if the kernels leave it to libcrypto.
    var verdict: Bool?

    /// Whether one kernel can judge both at once: keys may differ, the arithmetic may not.
    func isLike(_ other: PendingSignature) -> Bool {
        unsafe family == other.family && algorithm == other.algorithm && signature.count == other.signature.count
    }
}

/// Judges signatures eight or four at a time. Each gets the same verdict as on its own: lanes share only instructions.
@unsafe
struct SignatureBatch {
    // SAFETY, of all below: the contract of PendingSignature holds for each. Lanes are numbered below `mostLanes`, pending signatures by
    // `pending.indices`. `KeyTable.takes(signatureOf:_:)` and the row have checked that each signature has the length its kernel reads.

    private static let mostLanes = 8

    let pending: UnsafeMutableBufferPointer<PendingSignature>
    private var isTaken: UInt64 = 0

    /// - Parameter pending: at most 64.
    init(_ pending: UnsafeMutableBufferPointer<PendingSignature>) { unsafe self.pending = pending }

    /// Gives each its verdict, except those left to libcrypto.
    mutating func judge() {
        for first in unsafe pending.indices where unsafe isTaken & 1 << UInt64(first) == 0 {
            var group = InlineArray<8, Int>(repeating: first)
            let family = unsafe pending[first].family
            let count = unsafe take(from: first, atMost: family.lanes, into: &group)
            if count < family.leastLanes { continue }
            switch family {
            case .p256IFMA, .p384IFMA, .p521IFMA, .ed25519IFMA: unsafe judgeCurve(family, group, count)
            case .rsaIFMA, .rsaAVX2, .rsaAVX512F, .rsaIFMA256: unsafe judgeRSA(family, group, count)
            default: break
            }
        }
    }

    /// Takes `first` and untaken ones that are like it, one for each lane.
    private mutating func take(from first: Int, atMost lanes: Int, into group: inout InlineArray<8, Int>) -> Int {
        var count = 0
        var candidate = first
        while unsafe candidate < pending.count, count < lanes {
            if unsafe isTaken & 1 << UInt64(candidate) == 0, unsafe pending[candidate].isLike(pending[first]) {
                unsafe isTaken |= 1 << UInt64(candidate)
                group[count] = candidate
                count += 1
            }
            candidate += 1
        }
        return count
    }

    // Kernels by algorithm

    /// ECDSA, or Ed25519.
    private func judgeCurve(_ family: KernelFamily, _ group: InlineArray<8, Int>, _ count: Int) {
        let isECDSA = family != .ed25519IFMA
        var hashes = InlineArray<512, UInt8>(repeating: 0)
        guard unsafe isECDSA ? digest(group, count, into: &hashes) : digestEd25519(group, count, into: &hashes) else { return }
        var verdicts = InlineArray<8, cjwt_verdict>(repeating: CJWT_UNDECIDED)
        let verify =
            switch family {
            case .p256IFMA: unsafe cjwt_p256_ifma_verify8
            case .p384IFMA: unsafe cjwt_p384_ifma_verify8
            case .p521IFMA: unsafe cjwt_p521_ifma_verify8
            default: unsafe cjwt_ed25519_ifma_verify8
            }
        unsafe withLanes(group, count, hashes) { tables, hashes, signatures in
            var out = verdicts.mutableSpan
            unsafe out.withUnsafeMutableBufferPointer { unsafe verify($0.baseAddress, tables, hashes, signatures) }
        }
        for lane in 0..<count where verdicts[lane] != CJWT_UNDECIDED {
            unsafe pending[group[lane]].verdict = verdicts[lane] == CJWT_ACCEPTED
        }
    }

    private func judgeRSA(_ family: KernelFamily, _ group: InlineArray<8, Int>, _ count: Int) {
        var hashes = InlineArray<512, UInt8>(repeating: 0)
        let row = unsafe pending[group[0]].algorithm.row
        let length = unsafe pending[group[0]].signature.count
        guard unsafe digest(group, count, into: &hashes), length <= Kernels.modulusBytes,
            let encoded = unsafe cjwt_scratch_acquire(Self.mostLanes * Kernels.modulusBytes)
        else { return }
        defer { unsafe cjwt_scratch_release(encoded) }
        // SAFETY: `mostLanes` runs of `modulusBytes` each, used only by this call; no signature is longer than one run.
        let start = unsafe encoded.assumingMemoryBound(to: UInt8.self)
        var outputs = unsafe InlineArray<8, UnsafeMutablePointer<UInt8>?>(repeating: nil)
        for lane in 0..<count { unsafe outputs[lane] = start + lane * Kernels.modulusBytes }
        var results = InlineArray<8, Int32>(repeating: 0)
        unsafe withLanes(group, count, hashes) { tables, _, signatures in
            var out = results.mutableSpan
            unsafe out.withUnsafeMutableBufferPointer { out in
                unsafe outputs.span.withUnsafeBufferPointer {
                    switch family {
                    case .rsaIFMA: unsafe cjwt_rsa_ifma_power8(out.baseAddress, tables, $0.baseAddress, signatures)
                    case .rsaAVX512F: unsafe cjwt_rsa_avx512f_power8(out.baseAddress, tables, $0.baseAddress, signatures)
                    case .rsaIFMA256: unsafe cjwt_rsa_ifma256_power4(out.baseAddress, tables, $0.baseAddress, signatures)
                    default: unsafe cjwt_rsa_avx2_power4(out.baseAddress, tables, $0.baseAddress, signatures)
                    }
                }
            }
        }
        // The kernel leaves a lane of another length idle, which is no refusal.
        for lane in 0..<count where unsafe pending[group[lane]].signature.count == length {
            let isGood = unsafe hashes.span.withUnsafeBufferPointer { hashes in
                guard let hashes = hashes.baseAddress else { return false }
                return unsafe results[lane] == 1
                    && cossl_rsa_padding_matches(row.scheme, row.digest, hashes + 64 * lane, start + lane * Kernels.modulusBytes, length)
                        == 1
            }
            unsafe pending[group[lane]].verdict = isGood
        }
    }

    /// Passes the tables, hashes and signatures of the lanes to `body`. Lanes without work have no table, and the first lane's signature.
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
            for lane in unsafe 0..<Self.mostLanes {
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
