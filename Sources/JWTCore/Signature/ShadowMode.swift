internal import Synchronization

extension Engine {
    /// Every `interval`th verdict of the kernels is judged again by libcrypto, whose answer stands; zero, the default, none.
    /// One is every verdict: then nothing is trusted that libcrypto does not say as well.
    public static var shadowInterval: Int {
        get { Int(shadow.interval.load(ordering: .relaxed)) }
        set { shadow.interval.store(UInt32(clamping: newValue), ordering: .relaxed) }
    }

    /// How many verdicts were judged twice, and how many of them were contradicted. Anything but zero there is a defect: please report it.
    public static var shadowCounts: (compared: Int, contradicted: Int) {
        (Int(shadow.compared.load(ordering: .relaxed)), Int(shadow.contradicted.load(ordering: .relaxed)))
    }

    private final class Shadow: Sendable {
        let interval = Atomic<UInt32>(0)
        let turn = Atomic<UInt32>(0)
        let compared = Atomic<UInt64>(0)
        let contradicted = Atomic<UInt64>(0)
    }

    private static let shadow = Shadow()

    /// What stands after `verdict` of a kernel: itself, or in its turn the answer of `reference`.
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
