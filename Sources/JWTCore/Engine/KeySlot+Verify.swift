internal import CJWTKernels
internal import COpenSSL

extension KeySlot {
    /// The verdict on `signature` for `message` under this key; nil if the kernels have no table for the key or cannot judge this
    /// signature.
    func verdict(_ row: SignatureAlgorithm.Row, message: Span<UInt8>, signature: Span<UInt8>) -> KernelVerdict? {
        // SAFETY: both are lent while the kernel runs, and the table while the section that loaded it lasts.
        unsafe message.withUnsafeBufferPointer { message in
            unsafe signature.withUnsafeBufferPointer { signature in
                // An empty signature has no address with Swift 6.2: libcrypto refuses it.
                guard let signature = unsafe signature.baseAddress.map({ unsafe UnsafeBufferPointer(start: $0, count: signature.count) })
                else { return nil }
                return withTable(chance: unsafe signature.first ?? 0) { family, table in
                    let verdict = unsafe Kernels.verdict(family, table, row, message, signature)
                    return verdict == CJWT_UNDECIDED ? nil : KernelVerdict(isGood: verdict == CJWT_ACCEPTED, family: family)
                }
            }
        }
    }
}

/// A verdict of the kernels. It keeps the family of the table that was used: the key may have another table a moment later, or none.
package struct KernelVerdict: BitwiseCopyable, Sendable {
    package let isGood: Bool
    package let family: KernelFamily
}

/// One signature, one kernel.
enum Kernels {
    /// The longest modulus that the kernels accept, in bytes.
    static let modulusBytes = 512

    // SAFETY, of all below: a table belongs to the family of the kernel it is passed to, and was complete before it could be loaded. A
    // message is passed with its length. The row or the table checks before the call that the signature has the length its kernel reads.

    @unsafe
    fileprivate static func verdict(
        _ family: KernelFamily, _ table: KeyTable, _ row: SignatureAlgorithm.Row, _ message: UnsafeBufferPointer<UInt8>,
        _ signature: UnsafeBufferPointer<UInt8>
    ) -> cjwt_verdict {
        switch family {
        case .p256Tables, .p384Tables, .p521Tables, .p256IFMA, .p384IFMA, .p521IFMA:
            unsafe ecdsa(family, table, row, message, signature)
        case .ed25519Tables, .ed25519IFMA: unsafe ed25519(family, table, message, signature)
        case .rsaIFMA, .rsaScalar, .rsaAVX2, .rsaAVX512F, .rsaIFMA256: unsafe rsa(family, table, row, message, signature)
        case .sha2: CJWT_UNDECIDED
        }
    }

    /// The row has checked the signature's length.
    @unsafe
    private static func ecdsa(
        _ family: KernelFamily, _ table: KeyTable, _ row: SignatureAlgorithm.Row, _ message: UnsafeBufferPointer<UInt8>,
        _ signature: UnsafeBufferPointer<UInt8>
    ) -> cjwt_verdict {
        // SAFETY: no digest is longer than 64 bytes, and the row fixes the signature's length: 64 bytes, 96 for P-384, 132 for P-521.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { hash in
            guard let hash = hash.baseAddress,
                unsafe digest(message, row.digest, into: hash)
            else { return CJWT_UNDECIDED }
            return switch family {
            case .p256IFMA: unsafe cjwt_p256_ifma_verify(table.kernelTable, hash, signature.baseAddress)
            case .p256Tables: unsafe cjwt_p256_verify(table.kernelTable, hash, signature.baseAddress)
            case .p384IFMA: unsafe cjwt_p384_ifma_verify(table.kernelTable, hash, signature.baseAddress)
            case .p521IFMA: unsafe cjwt_p521_ifma_verify(table.kernelTable, hash, signature.baseAddress)
            case .p521Tables: unsafe cjwt_p521_verify(table.kernelTable, hash, signature.baseAddress)
            default: unsafe cjwt_p384_verify(table.kernelTable, hash, signature.baseAddress)
            }
        }
    }

    /// RFC 8032 section 5.1.7: the hash is of R, the key and the message.
    @unsafe
    private static func ed25519(
        _ family: KernelFamily, _ table: KeyTable, _ message: UnsafeBufferPointer<UInt8>, _ signature: UnsafeBufferPointer<UInt8>
    ) -> cjwt_verdict {
        guard signature.count == 64, let start = signature.baseAddress else { return CJWT_REFUSED }
        // SAFETY: the buffer has 64 bytes for R and the key, 32 each, and 64 for the hash; the line above checks that the signature has 64.
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { memory in
            guard let prefix = memory.baseAddress else { return CJWT_UNDECIDED }
            let hash = unsafe prefix + 64
            unsafe prefix.update(from: start, count: 32)
            unsafe UnsafeMutableRawPointer(prefix + 32).copyMemory(from: table.publicKey, byteCount: 32)
            guard unsafe digest(message, COSSL_DIGEST_SHA512, after: prefix, into: hash) else { return CJWT_UNDECIDED }
            return family == .ed25519IFMA
                ? unsafe cjwt_ed25519_ifma_verify(table.kernelTable, hash, start)
                : unsafe cjwt_ed25519_verify(table.kernelTable, hash, start)
        }
    }

    /// RFC 8017 sections 8.1.2 and 8.2.2: a signature whose length differs from the modulus, or whose value is not below it, is invalid.
    @unsafe
    private static func rsa(
        _ family: KernelFamily, _ table: KeyTable, _ row: SignatureAlgorithm.Row, _ message: UnsafeBufferPointer<UInt8>,
        _ signature: UnsafeBufferPointer<UInt8>
    ) -> cjwt_verdict {
        let length = table.header.modulusLength
        guard signature.count == length, length <= modulusBytes else { return CJWT_REFUSED }
        // Lanes verify batches only.
        guard family == .rsaIFMA || Engine.isActive(.rsaScalar) else { return CJWT_UNDECIDED }
        // SAFETY: the signature is as long as the modulus, and both fit into their buffers; a digest has at most 64 bytes.
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: modulusBytes + 64) { memory in
            guard let encoded = memory.baseAddress else { return CJWT_UNDECIDED }
            let hash = unsafe encoded + modulusBytes
            guard unsafe digest(message, row.digest, into: hash) else { return CJWT_UNDECIDED }
            let isBelow =
                family == .rsaIFMA
                ? unsafe cjwt_rsa_ifma_power(table.kernelTable, encoded, signature.baseAddress)
                : unsafe cjwt_rsa_scalar_power(table.scalarKey(family), encoded, signature.baseAddress)
            guard isBelow == 1 else { return CJWT_REFUSED }
            return unsafe cossl_rsa_padding_matches(row.scheme, row.digest, hash, encoded, length) == 1 ? CJWT_ACCEPTED : CJWT_REFUSED
        }
    }

    /// Hashes the signed bytes, after a prefix of 64 bytes if there is one, by the kernels where they are faster than libcrypto.
    @unsafe
    private static func digest(
        _ message: UnsafeBufferPointer<UInt8>, _ digest: cossl_digest, after prefix: UnsafePointer<UInt8>? = nil,
        into hash: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        // SAFETY: callers provide 64 bytes for the hash, the length of the longest digest, and 64 in the prefix.
        let prefixLength = unsafe prefix == nil ? 0 : 64
        if Engine.isActive(.sha2) {
            var whole = unsafe cjwt_message(prefix: prefix, prefix_len: prefixLength, bytes: message.baseAddress, len: message.count)
            if digest == COSSL_DIGEST_SHA256, unsafe prefix == nil {
                if unsafe cjwt_sha256_one(hash, message.baseAddress, message.count) == 1 { return true }
            } else if unsafe cjwt_sha2_lanes(hash, cossl_digest_length(digest), &whole, 1) == 1 {
                return true
            }
        }
        return unsafe cossl_digest_pieces(hash, digest, prefix, prefixLength, message.baseAddress, message.count) == 1
    }
}
