internal import JWTCore
internal import Synchronization

/// How many forks led to this process. An owner of threads compares it with the count at their start: a child has no thread of its parent.
enum ForkCount {
    private static let count = Atomic<UInt64>(0)

    private static let isCounted: Void = Forks.handle(inChild: { ForkCount.count.add(1, ordering: .relaxed) })

    static var current: UInt64 {
        _ = isCounted
        return count.load(ordering: .relaxed)
    }
}
