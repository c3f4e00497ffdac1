import CAffinity
import Dispatch
import Foundation
import JWTCore
import Locks

/// Threads that are pinned to their cores, if the system supports that. They keep their caches warm from one piece of work to the next.
final class PinnedThreads: Sendable {
    private let places: [Place]

    /// One thread.
    private final class Place: Sendable {
        let work = Locked<(@Sendable () -> Void)?>(nil)
        let isGiven = DispatchSemaphore(value: 0)

        /// Gives the thread work; nil ends the thread.
        func give(_ body: (@Sendable () -> Void)?) {
            work.withLock { $0 = body }
            isGiven.signal()
        }

        func run(on core: Int) {
            PinnedThreads.pin(to: core)
            while true {
                isGiven.wait()
                guard let body = work.withLock({ $0 }) else { return }
                body()
            }
        }
    }

    /// Starts a thread on each of `cores`, which are ordinals of ``cores``.
    init(_ cores: [Int]) {
        places = cores.map { core in
            let place = Place()
            Thread { place.run(on: core) }.start()
            return place
        }
    }

    deinit { for place in places { place.give(nil) } }

    /// Runs `body` concurrently on the threads with the given ordinals; by default on all.
    ///
    /// - Returns: the result of each thread.
    func run<Result: Sendable>(_ chosen: [Int]? = nil, _ body: @escaping @Sendable (Int) -> Result) -> [Result] {
        let ordinals = chosen ?? Array(places.indices)
        let results = Locked([Result?](repeating: nil, count: ordinals.count))
        let done = DispatchSemaphore(value: 0)
        for (position, ordinal) in ordinals.enumerated() {
            places[ordinal].give {
                let result = body(ordinal)
                results.withLock { $0[position] = result }
                done.signal()
            }
        }
        for _ in ordinals { done.wait() }
        return results.withLock { $0.compactMap { $0 } }
    }

    /// Runs `body` concurrently on one new thread for each core of `cores`. The threads end after it.
    static func run<Result: Sendable>(_ cores: [Int], _ body: @escaping @Sendable (Int) -> Result) -> [Result] {
        PinnedThreads(cores).run(nil, body)
    }

    /// The cores that this process was started on (`taskset` selects them). Empty if the system does not report them.
    static let cores: [Int32] = {
        var cores = [Int32](repeating: 0, count: 1_024)
        let count = unsafe caffinity_cores(&cores, Int32(cores.count))
        return Array(cores.prefix(Int(count)))
    }()

    /// Pins the calling thread, and the threads it creates, to the core of `cores` with this ordinal, modulo their number.
    static func pin(to ordinal: Int) {
        guard !cores.isEmpty else { return }
        let core = cores[ordinal % cores.count]
        if caffinity_pin(core) == 0 { FileHandle.standardError.write(Data("bench: a thread could not be kept on core \(core)\n".utf8)) }
    }
}
