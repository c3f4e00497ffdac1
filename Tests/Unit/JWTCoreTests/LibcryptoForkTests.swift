import CForkCheck
import COpenSSL
import Foundation
import Synchronization
import Testing

/// libcrypto does not release in a child the locks that another thread held at the fork, so a fork waits until no thread holds one.
struct LibcryptoForkTests {
    private static let inside = Atomic(0)

    /// A call that contains another one.
    private static func call() {
        cossl_begin()
        cossl_begin()
        inside.add(1, ordering: .sequentiallyConsistent)
        cossl_end()
        for _ in 0..<20 { sched_yield() }
        inside.subtract(1, ordering: .sequentiallyConsistent)
        cossl_end()
    }

    @Test
    func noThreadIsInsideLibcryptoAtAFork() {
        let isDone = Atomic(false), hasBegun = DispatchSemaphore(value: 0), hasEnded = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            Thread {
                Self.call()
                hasBegun.signal()
                while !isDone.load(ordering: .relaxed) { Self.call() }
                hasEnded.signal()
            }.start()
        }
        for _ in 0..<2 { hasBegun.wait() }
        let verdicts = (0..<40).map { _ in
            cfork_child_says { LibcryptoForkTests.inside.load(ordering: .sequentiallyConsistent) > 0 ? 11 : 10 }
        }
        isDone.store(true, ordering: .relaxed)
        for _ in 0..<2 { hasEnded.wait() }
        #expect(Set(verdicts) == [10])
    }
}
