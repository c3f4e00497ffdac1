import CForkCheck
import COpenSSL
import Foundation
import JWTCore
import JWTTestSupport
import Synchronization
import Testing

/// libcrypto does not release in a child the locks that another thread held at the fork, so a fork waits until no thread holds one.
@Suite(.tierTurn)
struct LibcryptoForkTests {
    private static let isInside = Atomic(false)
    private static let forge = TokenForge(.es512), token = forge.token()

    @Test
    func noThreadIsInsideLibcryptoAtAFork() {
        let verdicts = Self.verdictsOfChildren(
            beside: {
                // Calls nest.
                cossl_begin()
                cossl_begin()
                Self.isInside.store(true, ordering: .sequentiallyConsistent)
                cossl_end()
                for _ in 0..<20 { sched_yield() }
                Self.isInside.store(false, ordering: .sequentiallyConsistent)
                cossl_end()
            }, { LibcryptoForkTests.isInside.load(ordering: .sequentiallyConsistent) ? 11 : 10 })
        #expect(verdicts == [10])
    }

    @Test
    func aChildMakesKeysThoughItWasForkedWhileAnotherThreadMadeSome() {
        let verdicts = Self.verdictsOfChildren(
            beside: { _ = Self.forge.verifier().verdict(Self.token) },
            {
                let forge = LibcryptoForkTests.forge, token = LibcryptoForkTests.token
                for _ in 0..<4 { guard forge.verifier().verdict(token) == "valid" else { return 11 } }
                return 10
            })
        #expect(verdicts == [10])
    }

    /// What forty children say that are forked while two threads repeat `work`.
    private static func verdictsOfChildren(beside work: @escaping @Sendable () -> Void, _ child: @convention(c) () -> Int32) -> Set<Int32> {
        let isDone = Atomic(false), hasBegun = DispatchSemaphore(value: 0), hasEnded = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            Thread {
                work()
                hasBegun.signal()
                while !isDone.load(ordering: .relaxed) { work() }
                hasEnded.signal()
            }.start()
        }
        for _ in 0..<2 { hasBegun.wait() }
        let verdicts = Set((0..<40).map { _ in cfork_child_says(child) })
        isDone.store(true, ordering: .relaxed)
        for _ in 0..<2 { hasEnded.wait() }
        return verdicts
    }
}
