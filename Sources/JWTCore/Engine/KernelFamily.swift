internal import CJWTKernels

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
    /// SHA-2 of several messages at once, for batches.
    case sha2

    /// The tier it belongs to.
    public var tier: EngineTier {
        switch self {
        case .p256Tables, .p384Tables, .p521Tables, .ed25519Tables: .tables
        case .p256IFMA, .p384IFMA, .p521IFMA, .ed25519IFMA, .rsaIFMA, .sha2: .ifma
        }
    }

    /// Whether this CPU supports its instructions.
    var isSupported: Bool { tier <= .tables || cjwt_ifma_available() == 1 }

    /// Whether it gives the known answers, also for invalid signatures. Takes milliseconds.
    var passesSelfTest: Bool {
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
        case .sha2: cjwt_sha_self_test() == 1
        }
    }

    var bit: UInt32 { 1 << UInt32(rawValue) }
}
