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
        /// There was no memory for its self-test. It is not used, and is tested again when a key next asks for it.
        case untested = "not tested for want of memory"
        /// libcrypto contradicted a verdict in shadow mode (``Engine/shadowInterval``): it is not used again in this process.
        case contradicted = "contradicted by libcrypto"
    }

    /// The tier in use: the highest one with an active family. Runs self-tests from the highest tier downwards until a family is active.
    public static var tier: EngineTier { changing { $0.tier() } }

    /// A family of kernels and its state.
    public struct KernelStatus: Hashable, Sendable {
        public let family: KernelFamily
        public let state: KernelState
    }

    /// Every family with its state. Runs the self-tests that did not run before, which takes milliseconds.
    public static var kernels: [KernelStatus] { changing { $0.all() } }

    /// The families that are known to be faulty. Runs no self-test.
    package static var faulty: [KernelFamily] { choice.withLock { $0.faulty() } }

    /// Limits verification to `tier` and below from now on; nil returns the choice to `ASSAY_ENGINE` and the CPU. Keys keep the tables
    /// that the tier still uses, until `KeySet.prepare()`. Keys without such a table get one when they are next used.
    ///
    /// - Returns: the tier then in use; it is lower if the CPU lacks the instructions or a self-test failed.
    @discardableResult
    public static func force(_ tier: EngineTier?) -> EngineTier {
        changing { choice in
            choice = Choice(wanted: tier ?? wantedByEnvironment, failing: choice.failing)
            // Of all families, so that keys keep using the tables they have.
            _ = choice.all()
        }
        return self.tier
    }

    /// What the tables of keys take. Those of keys that senders choose (DPoP), which have a budget of their own, are not counted.
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

    /// The states of the families that were asked for, below one tier.
    package struct Choice {
        /// Nil until `ASSAY_ENGINE` was read.
        fileprivate var wanted: EngineTier?
        package private(set) var states: [KernelFamily: KernelState] = [:]
        /// Families whose self-test fails. For tests.
        fileprivate let failing: Set<KernelFamily>

        package init(wanted: EngineTier? = nil, failing: Set<KernelFamily> = []) {
            self.wanted = wanted
            self.failing = failing
        }

        /// The self-test runs when a family is first asked for: a program whose keys are all of one kind does not wait for the others.
        mutating func state(of family: KernelFamily) -> KernelState {
            let known = states[family] ?? tested(family)
            return known == .active && Engine.isDistrusted(family) ? .contradicted : known
        }

        private mutating func tested(_ family: KernelFamily) -> KernelState {
            let limit = wanted ?? Engine.wantedByEnvironment
            wanted = limit
            let state = found(family, limit)
            // Memory may be available another time.
            if state != .untested { states[family] = state }
            return state
        }

        private func found(_ family: KernelFamily, _ limit: EngineTier) -> KernelState {
            if family.tier > limit { return .notWanted }
            if !family.isSupported { return .unsupported }
            if failing.contains(family) { return .failedSelfTest }
            return switch family.selfTest {
            case .passed: .active
            case .failed: .failedSelfTest
            case .withoutMemory: .untested
            }
        }

        /// The first of `families` that is active; nil if none is.
        package mutating func first(of families: [KernelFamily]) -> KernelFamily? {
            let first = families.first { state(of: $0) == .active }
            // What verifications with its tables use besides: hashes, and the kernel of single tokens.
            _ = state(of: .sha2)
            if let first { _ = state(of: first.single) }
            return first
        }

        /// The tables of curves that no key has take megabytes, so only one active family is asked for.
        package mutating func tier() -> EngineTier {
            let judges = KernelFamily.allCases.filter { $0 != .sha2 }.sorted { $0.tier > $1.tier }
            return judges.first { state(of: $0) == .active }?.tier ?? .openssl
        }

        /// The families that failed their self-test or that libcrypto contradicted, of those that were asked for before.
        package mutating func faulty() -> [KernelFamily] {
            KernelFamily.allCases.filter { family in
                guard states[family] != nil else { return false }
                let state = state(of: family)
                return state == .failedSelfTest || state == .contradicted
            }
        }

        /// One bit per active family, but for those of `distrusted`: theirs must not be stored for a moment, because others verify meanwhile.
        package func bits(without distrusted: UInt32) -> UInt32 {
            states.reduce(0) { $1.value == .active ? $0 | $1.key.bit : $0 } & ~distrusted
        }

        fileprivate mutating func all() -> [KernelStatus] {
            KernelFamily.allCases.map { KernelStatus(family: $0, state: state(of: $0)) }
        }
    }

    static let choice = Locked(Choice())
    /// One bit per family that is known to be active. Every verification reads it.
    private static let active = Atomic<UInt32>(0)
    /// One bit per family that libcrypto has contradicted.
    private static let distrusted = Atomic<UInt32>(0)

    /// Whether the kernels of `family` may judge now. False until ``first(of:)`` or ``kernels`` has asked for it.
    static func isActive(_ family: KernelFamily) -> Bool { active.load(ordering: .relaxed) & family.bit != 0 }

    /// The first of `families` that is active; nil if none is. Called before a table is built, so never during a verification.
    static func first(of families: [KernelFamily]) -> KernelFamily? { changing { $0.first(of: families) } }

    /// Switches a family off. The hashes of the kernels go with it, because a wrong hash looks like a wrong verdict. Takes no lock: a
    /// verification calls it, also while another thread forks.
    static func distrust(_ family: KernelFamily) {
        let bits = family.bit | KernelFamily.sha2.bit
        distrusted.bitwiseOr(bits, ordering: .sequentiallyConsistent)
        active.bitwiseAnd(~bits, ordering: .sequentiallyConsistent)
    }

    private static func isDistrusted(_ family: KernelFamily) -> Bool { distrusted.load(ordering: .relaxed) & family.bit != 0 }

    /// Runs `body`, which may run self-tests, under the lock; then verifications use what is active.
    private static func changing<Result>(_ body: (inout Choice) -> Result) -> Result {
        choice.withLock { choice in
            let result = body(&choice)
            active.store(choice.bits(without: distrusted.load(ordering: .sequentiallyConsistent)), ordering: .sequentiallyConsistent)
            // A family that is distrusted meanwhile stays off: whichever store comes last, the bit is cleared after it.
            active.bitwiseAnd(~distrusted.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
            return result
        }
    }

    /// The value of `ASSAY_ENGINE`.
    private static var word: String? { unsafe getenv("ASSAY_ENGINE").map { unsafe String(cString: $0) } }

    private static var wantedByEnvironment: EngineTier {
        warn()
        return .wanted(by: word)
    }

    /// Warns of an ``unknownWord``, once. For the thread that loads a key: a short program may end before another thread selects the tier.
    static func warn() {
        if let unknownWord { EngineWarning.say(unknownWord) }
    }

    /// The value of `ASSAY_ENGINE` if it names no tier. A program refuses to start then: who made the typing error believes that kernels are
    /// limited to another tier than they are.
    package static var unknownWord: String? {
        guard let word, !word.isEmpty, !word.isExactly("auto"), EngineTier(name: word) == nil else { return nil }
        return word
    }

    /// Takes back every ``distrust(_:)``. For tests.
    package static func trustAgain() {
        distrusted.store(0, ordering: .sequentiallyConsistent)
        failSelfTests(of: [])
    }

    /// Makes the self-tests of `families` fail. For tests.
    package static func failSelfTests(of families: Set<KernelFamily>) {
        changing { choice in
            choice = Choice(failing: families)
            _ = choice.all()
        }
    }
}
