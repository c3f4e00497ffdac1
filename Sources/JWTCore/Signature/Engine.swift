#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import Synchronization

/// Which kernels verify signatures in this process: the best this CPU has and that gave the known answers, unless `ASSAY_ENGINE`
/// (`openssl`, `tables`, `ifma`, `auto`; any other word is taken for `openssl`) or ``force(_:)`` says otherwise. Verdicts are the same
/// whichever runs.
public enum Engine {
    /// What became of a family of kernels.
    public enum KernelState: String, Sendable {
        case active
        /// Its tier is beyond the one that was asked for.
        case notWanted = "not wanted"
        /// The CPU, or the operating system, lacks its instructions.
        case unsupported
        /// It did not give the known answers and is never used: something is wrong with this build or this machine.
        case failedSelfTest = "failed its self-test"
    }

    /// The tier in use: the highest with an active family.
    public static var tier: EngineTier {
        states.filter { $0.state == .active && $0.family != .sha2 }.map(\.family.tier).max() ?? .openssl
    }

    /// Every family with its state. Runs the self-tests if that has not been done: milliseconds, once.
    public static var states: [(family: KernelFamily, state: KernelState)] {
        select()
        return choice.withLock { choice in KernelFamily.allCases.map { ($0, choice.states[$0] ?? .notWanted) } }
    }

    /// Lets nothing above `tier` verify from now on; nil gives the choice back to `ASSAY_ENGINE` and the CPU. Keys keep the tables
    /// they have, and get those they now want when they are used again.
    ///
    /// - Returns: the tier that is in use then, lower where the CPU or a self-test stands against it.
    @discardableResult
    public static func force(_ tier: EngineTier?) -> EngineTier {
        choice.withLock { choice in
            choice.wanted = tier ?? wantedByEnvironment
            choice.isMade = false
        }
        select()
        return self.tier
    }

    /// Bytes that the tables of all keys may take together, 64 MiB unless set; the least recently used give way. A full table takes
    /// 100 KiB to 500 KiB, by algorithm.
    public static var tableBudget: Int {
        get { KeyTables.shared.budget }
        set { KeyTables.shared.budget = newValue }
    }

    /// Bytes of the tables in use, and how many keys have one.
    public static var tableUsage: (bytes: Int, keys: Int) { KeyTables.shared.usage }

    // Choosing

    struct Choice {
        var wanted: EngineTier?
        var isMade = false
        var states: [KernelFamily: KernelState] = [:]
        /// Families that are to fail. For tests.
        var failing: Set<KernelFamily> = []
    }

    static let choice = Locked(Choice())
    /// A bit for each active family. What a verification looks at.
    private static let active = Atomic<UInt32>(0)

    /// Whether the kernels of `family` may judge now. False until ``select()``.
    static func isActive(_ family: KernelFamily) -> Bool { active.load(ordering: .relaxed) & family.bit != 0 }

    /// Makes the choice if it is not made. Called before a table is built, so away from verifications.
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

    private static var wantedByEnvironment: EngineTier { unsafe .wanted(by: getenv("ASSAY_ENGINE").map { unsafe String(cString: $0) }) }

    /// Has the self-tests of `families` fail. For tests.
    package static func failSelfTests(of families: Set<KernelFamily>) {
        choice.withLock { choice in
            choice.failing = families
            choice.isMade = false
        }
        select()
    }
}
