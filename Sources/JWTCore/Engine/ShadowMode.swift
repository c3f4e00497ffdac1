internal import Synchronization

extension Engine {
    /// libcrypto judges every `interval`th verdict of the kernels again, and its answer counts. Zero, the default, turns this off. One
    /// checks every verdict: then nothing is accepted that libcrypto does not accept too.
    public static var shadowInterval: Int {
        get { Int(shadow.interval.load(ordering: .relaxed)) }
        set { shadow.interval.store(UInt32(clamping: newValue), ordering: .relaxed) }
    }

    /// The verdicts that were judged twice.
    public struct ShadowCounts: Hashable, Sendable {
        public let compared: Int
        /// Those that libcrypto contradicted. A contradiction is a defect: please report it.
        public let contradicted: Int
    }

    public static var shadowCounts: ShadowCounts {
        ShadowCounts(
            compared: Int(shadow.compared.load(ordering: .relaxed)), contradicted: Int(shadow.contradicted.load(ordering: .relaxed)))
    }

    private final class Shadow: Sendable {
        let interval = Atomic<UInt32>(0)
        let turn = Atomic<UInt32>(0)
        let compared = Atomic<UInt64>(0)
        let contradicted = Atomic<UInt64>(0)
    }

    private static let shadow = Shadow()

    /// The final verdict: the kernel's `verdict` itself or, at each interval, the answer of `reference`.
    @inline(__always)
    package static func settled(_ verdict: Bool, reference: () -> Bool) -> Bool {
        let interval = shadow.interval.load(ordering: .relaxed)
        return interval == 0 ? verdict : compared(verdict, interval, reference)
    }

    @inline(never)
    private static func compared(_ verdict: Bool, _ interval: UInt32, _ reference: () -> Bool) -> Bool {
        guard shadow.turn.wrappingAdd(1, ordering: .relaxed).newValue % interval == 0 else { return verdict }
        let answer = reference()
        shadow.compared.wrappingAdd(1, ordering: .relaxed)
        if answer != verdict { shadow.contradicted.wrappingAdd(1, ordering: .relaxed) }
        return answer
    }
}
