internal import CJWTKernels

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Verification kernels that are enabled together: one curve's or scheme's arithmetic, for one instruction set.
public enum KernelFamily: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case p256Tables
    case p384Tables
    case p521Tables
    case ed25519Tables
    case p256IFMA
    case p384IFMA
    case p521IFMA
    case ed25519IFMA
    case rsaIFMA
    /// RSA with 64-bit products: on x86-64 with BMI2 and ADX, and on arm64, there for 2048 bits.
    case rsaScalar
    /// RSA in four lanes of AVX2, and in eight of AVX-512F: for batches. One token is verified as by ``rsaScalar``, where that is active.
    case rsaAVX2
    case rsaAVX512F
    /// The same in four lanes of IFMA in 256-bit registers.
    case rsaIFMA256
    /// SHA-2 of one message or of several at once, where that is faster than libcrypto's.
    case sha2

    /// The tier it belongs to.
    public var tier: EngineTier {
        switch self {
        case .p256Tables, .p384Tables, .p521Tables, .ed25519Tables, .rsaScalar: .tables
        case .rsaAVX2: .avx2
        case .rsaAVX512F: .avx512f
        case .rsaIFMA256: .avxifma
        case .p256IFMA, .p384IFMA, .p521IFMA, .ed25519IFMA, .rsaIFMA, .sha2: .ifma
        }
    }

    /// Whether this CPU supports its instructions.
    var isSupported: Bool {
        switch self {
        case .p256Tables, .p384Tables, .p521Tables, .ed25519Tables: true
        case .rsaScalar: cjwt_rsa_scalar_pays(256) == 1
        case .rsaAVX2: cjwt_avx2_available() == 1
        case .rsaAVX512F: cjwt_avx512f_available() == 1
        case .rsaIFMA256: cjwt_ifma256_available() == 1
        case .p256IFMA, .p384IFMA, .p521IFMA, .ed25519IFMA, .rsaIFMA, .sha2: cjwt_ifma_available() == 1
        }
    }

    /// What a self-test says of a family.
    enum SelfTest: Sendable {
        case passed, failed
        /// Nothing: there was no memory for it.
        case withoutMemory
    }

    /// Whether it gives the known answers, also for invalid signatures. Takes milliseconds.
    var selfTest: SelfTest {
        if passesSelfTest { return .passed }
        // The test of Ed25519 alone allocates, and says in `errno` that it could not.
        return tellsMemoryInErrno && errno == ENOMEM ? .withoutMemory : .failed
    }

    private var tellsMemoryInErrno: Bool { self == .ed25519Tables || self == .ed25519IFMA }

    private var passesSelfTest: Bool {
        switch self {
        case .p256Tables: cjwt_p256_self_test() == 1
        case .p384Tables: cjwt_p384_self_test() == 1
        case .p521Tables: cjwt_p521_self_test() == 1
        case .ed25519Tables: cjwt_ed25519_self_test() == 1
        case .p256IFMA: cjwt_p256_ifma_self_test() == 1
        case .p384IFMA: cjwt_p384_ifma_self_test() == 1
        case .p521IFMA: cjwt_p521_ifma_self_test() == 1
        case .ed25519IFMA: cjwt_ed25519_ifma_self_test() == 1
        case .rsaIFMA: cjwt_rsa_ifma_self_test() == 1
        case .rsaScalar: cjwt_rsa_scalar_self_test() == 1
        case .rsaAVX2: cjwt_rsa_avx2_self_test() == 1
        case .rsaAVX512F: cjwt_rsa_avx512f_self_test() == 1
        case .rsaIFMA256: cjwt_rsa_ifma256_self_test() == 1
        case .sha2: cjwt_sha_self_test() == 1
        }
    }

    /// How many signatures its kernel judges at once; one where it has no lanes.
    package var lanes: Int {
        switch self {
        case .p256IFMA, .p384IFMA, .p521IFMA, .ed25519IFMA, .rsaIFMA, .rsaAVX512F: 8
        case .rsaAVX2, .rsaIFMA256: 4
        default: 1
        }
    }

    /// The family that judges one signature of a key whose table is of this family.
    package var single: Self { self == .rsaAVX2 || self == .rsaAVX512F || self == .rsaIFMA256 ? .rsaScalar : self }

    /// Fewer than these are judged one by one: all lanes always take as long as about five single verifications with 512-bit IFMA, as about
    /// three of RSA without it, and as less than two where RSA has lanes of 256-bit IFMA.
    package var leastLanes: Int { tier == .ifma ? 5 : self == .rsaIFMA256 ? 2 : 3 }

    package var bit: UInt32 { 1 << UInt32(rawValue) }
}
