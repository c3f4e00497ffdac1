public import JWKSCache
public import JWTCore

/// The machine's clock with a wrong wall clock.
public struct ShiftedClock: ElapsedClock {
    private let clock = SystemElapsedClock()
    private let seconds: Int64

    public init(ahead seconds: Int64) { self.seconds = seconds }

    public var elapsed: Duration { clock.elapsed }
    public var date: NumericDate { NumericDate(seconds: clock.date.seconds + seconds) }
    public func sleep(until deadline: Duration) async { await clock.sleep(until: deadline) }
}
