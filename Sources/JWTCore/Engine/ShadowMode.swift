internal import Synchronization

extension Engine {
    /// libcrypto judges every `interval`th verdict of the kernels again, and its answer counts. Zero, the default, turns this off. One
    /// checks every verdict: then nothing is accepted that libcrypto does not accept too. A family that libcrypto contradicts is switched
    /// off until the process ends: ``Engine/KernelState/contradicted``. If libcrypto gets no memory for its answer, the signature is refused
    /// and the family stays on.
    public static var shadowInterval: Int {
        get { Int(interval.load(ordering: .relaxed)) }
        set { interval.store(UInt32(clamping: newValue), ordering: .relaxed) }
    }

    /// The verdicts that were judged twice.
    public struct ShadowCounts: Hashable, Sendable {
        public let compared: Int
        /// Those that libcrypto contradicted. A contradiction is a defect: please report it.
        public let contradicted: Int
    }

    public static var shadowCounts: ShadowCounts {
        ShadowCounts(compared: Int(compared.load(ordering: .relaxed)), contradicted: Int(contradicted.load(ordering: .relaxed)))
    }

    // Every verification reads the interval: a constant of the program's data, which needs no initialisation.
    private static let interval = Atomic<UInt32>(0)
    private static let turn = Atomic<UInt32>(0)
    private static let compared = Atomic<UInt64>(0)
    private static let contradicted = Atomic<UInt64>(0)

    /// The final verdict: the kernel's `verdict` itself or, at each interval, the answer of `reference`.
    ///
    /// - Parameters:
    ///   - family: whose verdict it is. It is switched off if `reference` contradicts it.
    ///   - reference: libcrypto's answer; nil if it has none, and then the signature is refused.
    @inline(__always)
    package static func settled(_ verdict: Bool, by family: @autoclosure () -> KernelFamily, reference: () -> Bool?) -> Bool {
        let interval = Self.interval.load(ordering: .relaxed)
        return interval == 0 ? verdict : judgedAgain(verdict, by: family, interval, reference)
    }

    @inline(never)
    private static func judgedAgain(
        _ verdict: Bool, by family: () -> KernelFamily, _ interval: UInt32, _ reference: () -> Bool?
    ) -> Bool {
        guard turn.wrappingAdd(1, ordering: .relaxed).newValue % interval == 0 else { return verdict }
        guard let answer = reference() else { return false }
        compared.wrappingAdd(1, ordering: .relaxed)
        if answer != verdict {
            contradicted.wrappingAdd(1, ordering: .relaxed)
            distrust(family())
        }
        return answer
    }
}
