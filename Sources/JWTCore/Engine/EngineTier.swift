/// A way to verify signatures. Each tier extends the one before it, is faster where it can be, and passes other signatures down.
public enum EngineTier: UInt8, Sendable, CaseIterable, Comparable {
    /// libcrypto for every key: the reference.
    case openssl
    /// Tables of a key's multiples, in portable C: ES256, ES384, ES512, Ed25519. RSA of 2048, 3072 and 4096 bits with 64-bit products, if
    /// the CPU is an x86-64 with BMI2 and ADX; on arm64 of 2048 bits.
    case tables
    /// AVX2, if the CPU has it: RSA of four tokens at once.
    case avx2
    /// AVX-512F, if the CPU has it: RSA of eight tokens at once.
    case avx512f
    /// IFMA in 256-bit registers, if the CPU has it (AVX-IFMA, or AVX-512 IFMA with VL): RSA of four tokens at once.
    case avxifma
    /// AVX-512 IFMA, if the CPU has it: RSA of 2048, 3072 and 4096 bits, ES256, ES384, ES512, Ed25519; one token or eight at once. SHA-2
    /// of these, where that is faster than libcrypto's.
    case ifma

    /// The name that ``init(name:)`` accepts.
    public var name: String {
        switch self {
        case .openssl: "openssl"
        case .tables: "tables"
        case .avx2: "avx2"
        case .avx512f: "avx512f"
        case .avxifma: "avxifma"
        case .ifma: "ifma"
        }
    }

    /// The tier with this name; nil for any other name, including `auto`.
    public init?(name: String) {
        guard let tier = Self.allCases.first(where: { $0.name.isExactly(name) }) else { return nil }
        self = tier
    }

    /// The tier that `ASSAY_ENGINE` asks for: the best if it is not set, empty or `auto`. An unknown value means the openssl tier: the
    /// variable exists to limit the kernels, and a typing error must not enable more of them.
    package static func wanted(by word: String?) -> Self {
        guard let word, !word.isEmpty, !word.isExactly("auto") else { return .ifma }
        return Self(name: word) ?? .openssl
    }

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
