/// A way to verify signatures. Each does what the one before it does, faster where it can, and hands back what it cannot judge.
public enum EngineTier: UInt8, Sendable, CaseIterable, Comparable {
    /// libcrypto for every key: the reference.
    case openssl
    /// Tables of a key's multiples, in portable C: ES256, ES384, Ed25519.
    case tables
    /// AVX-512 IFMA, where the CPU has it: RSA of 2048, 3072 and 4096 bits, ES256, Ed25519; one token or eight at once.
    case ifma

    /// The name that ``init(name:)`` takes.
    public var name: String {
        switch self {
        case .openssl: "openssl"
        case .tables: "tables"
        case .ifma: "ifma"
        }
    }

    /// The tier of this name; nil for any other, `auto` included.
    public init?(name: String) {
        guard let tier = Self.allCases.first(where: { $0.name.isExactly(name) }) else { return nil }
        self = tier
    }

    /// What `ASSAY_ENGINE` asks for: the best where it is not set, empty or `auto`, and of a word that is none of the names the openssl
    /// tier: who sets it wants less to run, and a slip of the pen must not give all.
    package static func wanted(by word: String?) -> Self {
        guard let word, !word.isEmpty, !word.isExactly("auto") else { return .ifma }
        return Self(name: word) ?? .openssl
    }

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
