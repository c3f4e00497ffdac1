internal import CJWTKernels

/// The public key for the kernels, from which a table is built.
struct KernelMaterial: Sendable {
    enum Kind: UInt8, Sendable { case p256, p384, p521, ed25519, rsa }

    let kind: Kind
    /// P-256, P-384 and P-521: x, then y; Ed25519: the key; RSA: the modulus.
    let bytes: [UInt8]

    /// Nil for a key that no kernel supports: another curve, an exponent other than 65537, or a size other than 2048, 3072 or 4096 bits.
    init?(_ material: KeyMaterial) {
        switch material {
        case .ec(.p256, let x, let y) where x.count == 32 && y.count == 32: self.init(.p256, x + y)
        case .ec(.p384, let x, let y) where x.count == 48 && y.count == 48: self.init(.p384, x + y)
        case .ec(.p521, let x, let y) where x.count == 66 && y.count == 66: self.init(.p521, x + y)
        case .raw(.ed25519, let key) where key.count == 32: self.init(.ed25519, key)
        case .rsa(let modulus, [1, 0, 1]) where cjwt_rsa_ifma_key_bytes(modulus.count) > 0 && modulus[0] >= 0x80: self.init(.rsa, modulus)
        default: return nil
        }
    }

    private init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// The families that can verify with it, the fastest first.
    private var families: [KernelFamily] {
        switch kind {
        case .p256: [.p256IFMA, .p256Tables]
        case .p384: [.p384IFMA, .p384Tables]
        case .p521: [.p521IFMA, .p521Tables]
        case .ed25519: [.ed25519IFMA, .ed25519Tables]
        case .rsa: [.rsaIFMA, .rsaIFMA256, .rsaAVX512F, .rsaAVX2, .rsaScalar]
        }
    }

    /// The family to use now; nil for libcrypto.
    var family: KernelFamily? { families.first(where: Engine.isActive) }

    /// Bytes of the table for `family`.
    func tableBytes(_ family: KernelFamily, _ size: KeyTable.Size) -> Int {
        switch family {
        case .p256Tables: cjwt_p256_table_bytes(size.kernels)
        case .p384Tables, .p384IFMA: cjwt_p384_table_bytes(size.kernels)
        case .p521Tables, .p521IFMA: cjwt_p521_table_bytes(size.kernels)
        case .ed25519Tables, .ed25519IFMA: cjwt_ed25519_table_bytes(size.kernels)
        case .p256IFMA: cjwt_p256_ifma_table_bytes(size.kernels)
        case .rsaIFMA: cjwt_rsa_ifma_key_bytes(bytes.count)
        case .rsaScalar: cjwt_rsa_scalar_pays(bytes.count) == 1 ? cjwt_rsa_scalar_key_bytes(bytes.count) : 0
        // The second key is for single tokens.
        case .rsaAVX2, .rsaAVX512F, .rsaIFMA256: family.laneKeyBytes(bytes.count) + cjwt_rsa_scalar_key_bytes(bytes.count)
        case .sha2: 0
        }
    }

    /// Builds the table at `memory`, which is 64-byte aligned and has ``tableBytes(_:_:)`` bytes. False if the kernels refuse the key.
    @unsafe
    func build(_ family: KernelFamily, _ size: KeyTable.Size, at memory: UnsafeMutableRawPointer) -> Bool {
        // SAFETY: `init` has checked the length that the kernels of each kind read: two coordinates, a key, or a modulus.
        let half = bytes.count / 2
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return false }
            return switch family {
            case .p256Tables: unsafe cjwt_p256_table_build(memory, size.kernels, first, first + half) == 1
            case .p384Tables, .p384IFMA: unsafe cjwt_p384_table_build(memory, size.kernels, first, first + half) == 1
            case .p521Tables, .p521IFMA: unsafe cjwt_p521_table_build(memory, size.kernels, first, first + half) == 1
            case .ed25519Tables, .ed25519IFMA: unsafe cjwt_ed25519_table_build(memory, size.kernels, first) == 1
            case .p256IFMA: unsafe cjwt_p256_ifma_table_build(memory, size.kernels, first, first + half) == 1
            case .rsaIFMA: unsafe cjwt_rsa_ifma_key_build(memory, first, bytes.count) == 1
            case .rsaScalar: unsafe cjwt_rsa_scalar_key_build(memory, first, bytes.count) == 1
            case .rsaAVX2, .rsaAVX512F, .rsaIFMA256: unsafe buildForLanes(family, first, at: memory)
            case .sha2: false
            }
        }
    }

    /// RSA: the key of the lanes, then that of ``KernelFamily/rsaScalar`` where the CPU supports it.
    @unsafe
    private func buildForLanes(_ family: KernelFamily, _ modulus: UnsafePointer<UInt8>, at memory: UnsafeMutableRawPointer) -> Bool {
        // SAFETY: as for `build`; both keys fit the bytes that `tableBytes` counts, and the second needs the alignment of a word only.
        let build = family == .rsaIFMA256 ? unsafe cjwt_rsa_ifma256_key_build : unsafe cjwt_rsa_lanes_key_build
        guard unsafe build(memory, modulus, bytes.count) == 1 else { return false }
        let second = unsafe memory + family.laneKeyBytes(bytes.count)
        return unsafe !KernelFamily.rsaScalar.isSupported || cjwt_rsa_scalar_key_build(second, modulus, bytes.count) == 1
    }
}

extension KernelFamily {
    /// RSA: bytes of the key for lanes, behind which the key of ``rsaScalar`` follows; zero where a table has only one key.
    func laneKeyBytes(_ modulusLength: Int) -> Int {
        switch self {
        case .rsaAVX2, .rsaAVX512F: cjwt_rsa_lanes_key_bytes(modulusLength)
        case .rsaIFMA256: cjwt_rsa_ifma256_key_bytes(modulusLength)
        default: 0
        }
    }
}
