public import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The two clocks of a key cache: an elapsed time, which cannot be set and continues while the machine sleeps, and the date.
public protocol ElapsedClock: Sendable {
    /// The time since an arbitrary origin, including suspension. Never goes back.
    var elapsed: Duration { get }
    /// The same in nanoseconds, for the verification of tokens.
    var elapsedNanoseconds: Int64 { get }
    /// The wall clock, for the age of stored sets and for the skew of sources' clocks.
    var date: NumericDate { get }
    /// Returns once `elapsed` has reached `deadline`, or earlier when the task is cancelled.
    func sleep(until deadline: Duration) async
}

extension ElapsedClock {
    public var elapsedNanoseconds: Int64 { elapsed.nanoseconds }
}

/// The clocks of the machine.
public struct SystemElapsedClock: ElapsedClock {
    public init() {}

    public var elapsed: Duration { .nanoseconds(elapsedNanoseconds) }

    public var elapsedNanoseconds: Int64 {
        var time = timespec()
        // The clock exists on every supported system. If it failed, every key would be too old.
        guard unsafe clock_gettime(Self.clock, &time) == 0 else { return .max }
        return 1_000_000_000 &* Int64(time.tv_sec) &+ Int64(time.tv_nsec)
    }

    public var date: NumericDate { SystemClock().now }

    public func sleep(until deadline: Duration) async { try? await Task.sleep(for: deadline - elapsed, clock: .continuous) }

    #if os(Linux)
    private static let clock = CLOCK_BOOTTIME
    #else
    // On Darwin the monotonic clock counts suspension.
    private static let clock = CLOCK_MONOTONIC
    #endif
}
