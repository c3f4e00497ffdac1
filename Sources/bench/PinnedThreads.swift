import CAffinity
import Dispatch
import Foundation
import JWTCore

/// Threads that stay on their cores, where the system can hold them there, and keep what they have warmed up from one piece of work to
/// the next.
final class PinnedThreads: Sendable {
    private let places: [Place]

    /// One thread.
    private final class Place: Sendable {
        let work = Locked<(@Sendable () -> Void)?>(nil)
        let isGiven = DispatchSemaphore(value: 0)

        /// Gives work to do, or nil: the end.
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

    /// A thread on each of `cores`, which are ordinals of ``cores``.
    init(_ cores: [Int]) {
        places = cores.map { core in
            let place = Place()
            Thread { place.run(on: core) }.start()
            return place
        }
    }

    deinit { for place in places { place.give(nil) } }

    /// Runs `body` at once on the threads named, by their ordinals; on all unless told.
    ///
    /// - Returns: what each gave.
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

    /// Runs `body` at once on a thread for each core of `cores`, which end with it.
    static func run<Result: Sendable>(_ cores: [Int], _ body: @escaping @Sendable (Int) -> Result) -> [Result] {
        PinnedThreads(cores).run(nil, body)
    }

    /// The cores that this process was started on, which whoever wants others says (`taskset`). Empty where the system cannot tell.
    static let cores: [Int32] = {
        var cores = [Int32](repeating: 0, count: 1_024)
        let count = unsafe caffinity_cores(&cores, Int32(cores.count))
        return Array(cores.prefix(Int(count)))
    }()

    /// Keeps the calling thread, and those it makes, on the core of `cores` that has this ordinal, counted round.
    static func pin(to ordinal: Int) {
        guard !cores.isEmpty else { return }
        let core = cores[ordinal % cores.count]
        if caffinity_pin(core) == 0 { FileHandle.standardError.write(Data("bench: a thread could not be kept on core \(core)\n".utf8)) }
    }
}
