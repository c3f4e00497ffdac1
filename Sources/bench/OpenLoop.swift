import Dispatch
import Histogram

/// Requests that arrive by a schedule, whether or not the ones before them are done, verified one by one on the calling thread.
///
/// Who sends the next request only after an answer never sees the ones that a stall kept waiting. So response time counts from the moment
/// a request was meant to arrive. The thread spins on the clock between requests: sleeping is a thousand times too coarse.
struct OpenLoop: Sendable {
    let operation: @Sendable (Int) -> Bool

    struct Times: Sendable {
        /// From the beginning of a verification to its end, and from the arrival.
        var service = Histogram<UInt64>(highestTrackableValue: mostNanoseconds)
        var response = Histogram<UInt64>(highestTrackableValue: mostNanoseconds)
        /// The longest that the clock stood still while nothing was to do: what the machine itself adds.
        var longestGap: UInt64 = 0
        var elapsed: UInt64 = 0

        private static let mostNanoseconds: UInt64 = 100_000_000_000

        mutating func record(service: UInt64, response: UInt64) {
            let isRecorded = self.service.record(service) && self.response.record(response)
            precondition(isRecorded, "a verification took more than 100 seconds: nothing was measured")
        }
    }

    func run(_ schedule: ArrivalSchedule) -> Times {
        var times = Times()
        let start = Self.clock + 1_000_000
        for (ordinal, offset) in schedule.offsets.enumerated() {
            let arrival = start + offset
            times.longestGap = max(times.longestGap, Self.spin(until: arrival))
            let begin = Self.clock
            precondition(operation(ordinal), "a good token was refused: nothing was measured")
            let end = Self.clock
            times.record(service: end - begin, response: end - arrival)
        }
        times.elapsed = Self.clock - start
        return times
    }

    /// - Returns: the longest time between two looks at the clock.
    static func spin(until arrival: UInt64) -> UInt64 {
        var gap: UInt64 = 0
        var last = clock
        while last < arrival {
            let now = clock
            gap = max(gap, now - last)
            last = now
        }
        return gap
    }

    static var clock: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
