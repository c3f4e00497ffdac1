import Dispatch
import Histogram

/// Requests that arrive by a schedule, even if earlier requests are not done. The calling thread verifies them one by one.
///
/// A closed loop sends the next request only after an answer, so it does not measure the requests that a stall would have delayed. Here the
/// response time starts at the intended arrival. The thread spins on the clock between requests: sleeping is a thousand times too coarse.
struct OpenLoop: Sendable {
    let operation: @Sendable (Int) -> Bool

    struct Times: Sendable {
        /// Service times, from the beginning of a verification to its end, and response times, from the arrival.
        var service = Histogram<UInt64>(highestTrackableValue: mostNanoseconds)
        var response = Histogram<UInt64>(highestTrackableValue: mostNanoseconds)
        /// The longest time between two clock readings while idle: the noise of the machine.
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

    /// - Returns: the longest time between two clock readings.
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
