#if IDaaS
internal import Foundation

/// The wall clock of the server: every lifetime, limit and date is measured by it alone.
public protocol ServerClock: Sendable {
    var now: Timestamp { get }
}

/// The clock of the machine.
public struct SystemClock: ServerClock {
    public init() {}

    public var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
#endif
