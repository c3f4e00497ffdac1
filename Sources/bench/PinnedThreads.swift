import CAffinity
import Dispatch
import Foundation
import JWTCore

/// Work on threads that stay on their cores, where the system can hold them there.
enum PinnedThreads {
    /// Runs `body` at once on a thread for each core of `cores`.
    ///
    /// - Returns: what each gave.
    static func run<Result: Sendable>(_ cores: [Int], _ body: @escaping @Sendable (Int) -> Result) -> [Result] {
        let results = Locked([Result?](repeating: nil, count: cores.count))
        let started = DispatchSemaphore(value: 0), go = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
        for (ordinal, core) in cores.enumerated() {
            let thread = Thread {
                pin(to: core)
                started.signal()
                go.wait()
                let result = body(ordinal)
                results.withLock { $0[ordinal] = result }
                done.signal()
            }
            thread.start()
        }
        for _ in cores { started.wait() }
        for _ in cores { go.signal() }
        for _ in cores { done.wait() }
        return results.withLock { $0.compactMap { $0 } }
    }

    /// Keeps the calling thread, and those it makes, on `core`. Where it may not be kept it runs anywhere, and the row shows it.
    static func pin(to core: Int) { _ = caffinity_pin(Int32(core)) }
}
