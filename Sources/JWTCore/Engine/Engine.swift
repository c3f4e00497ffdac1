internal import Locks
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The kernels that verify signatures in this process: the best ones that this CPU supports and that passed their self-test, unless
/// `ASSAY_ENGINE` (`openssl`, `tables`, `avx2`, `avx512f`, `avxifma`, `ifma`, `auto`; any other value means `openssl`) or ``force(_:)``
/// chooses others. All give the same verdicts.
public enum Engine {
    /// The state of a family of kernels.
    public enum KernelState: String, Sendable {
        case active
        /// Its tier is above the requested one.
        case notWanted = "not wanted"
        /// The CPU or the operating system does not support its instructions.
        case unsupported
        /// It failed its self-test and is never used: this build or this machine is faulty.
        case failedSelfTest = "failed its self-test"
    }

    /// The tier in use: the highest one with an active family.
    public static var tier: EngineTier {
        kernels.filter { $0.state == .active && $0.family != .sha2 }.map(\.family.tier).max() ?? .openssl
    }

    /// A family of kernels and its state.
    public struct KernelStatus: Hashable, Sendable {
        public let family: KernelFamily
        public let state: KernelState
    }

    /// Every family with its state. Runs the self-tests on first use, which takes milliseconds.
    public static var kernels: [KernelStatus] {
        select()
        return choice.withLock { choice in
            KernelFamily.allCases.map { KernelStatus(family: $0, state: choice.states[$0] ?? .notWanted) }
        }
    }

    /// Limits verification to `tier` and below from now on; nil returns the choice to `ASSAY_ENGINE` and the CPU. Keys keep the tables
    /// that the tier still uses, until `KeySet.prepare()`. Keys without such a table get one when they are next used.
    ///
    /// - Returns: the tier then in use; it is lower if the CPU lacks the instructions or a self-test failed.
    @discardableResult
    public static func force(_ tier: EngineTier?) -> EngineTier {
        choice.withLock { choice in
            choice.wanted = tier ?? wantedByEnvironment
            choice.isMade = false
        }
        select()
        return self.tier
    }

    /// What the tables of all keys take.
    public struct TableUsage: Hashable, Sendable {
        public let bytes: Int
        /// The keys that have a table.
        public let keys: Int

        package init(bytes: Int, keys: Int) {
            self.bytes = bytes
            self.keys = keys
        }
    }

    public static var tableUsage: TableUsage { KeyTables.shared.usage }

    // Choosing

    struct Choice {
        var wanted: EngineTier?
        var isMade = false
        var states: [KernelFamily: KernelState] = [:]
        /// Families whose self-test fails. For tests.
        var failing: Set<KernelFamily> = []
    }

    static let choice = Locked(Choice())
    /// One bit per active family. Every verification reads it.
    private static let active = Atomic<UInt32>(0)

    /// Whether the kernels of `family` may judge now. False until ``select()``.
    static func isActive(_ family: KernelFamily) -> Bool { active.load(ordering: .relaxed) & family.bit != 0 }

    /// Chooses the kernels on the first call. Called before a table is built, so never during a verification.
    static func select() {
        choice.withLock { choice in
            guard !choice.isMade else { return }
            let wanted = choice.wanted ?? wantedByEnvironment
            choice.wanted = wanted
            choice.isMade = true
            var bits: UInt32 = 0
            for family in KernelFamily.allCases {
                let state = state(of: family, wanted: wanted, failing: choice.failing)
                choice.states[family] = state
                if state == .active { bits |= family.bit }
            }
            active.store(bits, ordering: .relaxed)
        }
    }

    private static func state(of family: KernelFamily, wanted: EngineTier, failing: Set<KernelFamily>) -> KernelState {
        if family.tier > wanted { return .notWanted }
        if !family.isSupported { return .unsupported }
        return failing.contains(family) || !family.passesSelfTest ? .failedSelfTest : .active
    }

    /// The value of `ASSAY_ENGINE`.
    private static var word: String? { unsafe getenv("ASSAY_ENGINE").map { unsafe String(cString: $0) } }

    private static var wantedByEnvironment: EngineTier {
        warn()
        return .wanted(by: word)
    }

    /// Warns of an ``unknownWord``, once. For the thread that loads a key: a short program may end before another thread selects the tier.
    static func warn() {
        if let unknownWord { warning.withLock { $0.say(unknownWord) } }
    }

    private static let warning = Locked(EngineWarning())

    /// The value of `ASSAY_ENGINE` if it names no tier. A program refuses to start then: who made the typing error believes that kernels are
    /// limited to another tier than they are.
    package static var unknownWord: String? {
        guard let word, !word.isEmpty, !word.isExactly("auto"), EngineTier(name: word) == nil else { return nil }
        return word
    }

    /// Makes the self-tests of `families` fail. For tests.
    package static func failSelfTests(of families: Set<KernelFamily>) {
        choice.withLock { choice in
            choice.failing = families
            choice.isMade = false
        }
        select()
    }
}
