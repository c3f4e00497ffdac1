#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A verifier's clock, used when the caller passes no time.
public protocol UnixClock: Sendable {
    /// The current date.
    var now: NumericDate { get }
}

/// The machine's clock.
public struct SystemClock: UnixClock {
    public init() {}

    public var now: NumericDate {
        var time = timespec()
        // The realtime clock exists on every supported platform. If it failed, every token with an expiry would count as expired.
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return NumericDate(seconds: .max) }
        return NumericDate(seconds: Int64(time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
    }
}
