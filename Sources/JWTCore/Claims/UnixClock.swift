#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Where a verifier takes the time from when it is not told.
public protocol UnixClock: Sendable {
    /// The date of this moment.
    var now: NumericDate { get }
}

/// The clock of the machine.
public struct SystemClock: UnixClock {
    public init() {}

    public var now: NumericDate {
        var time = timespec()
        // The realtime clock exists wherever this builds. Were it to fail, every token with an expiry would have expired.
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return NumericDate(seconds: .max) }
        return NumericDate(seconds: Int64(time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
    }
}
