internal import JWKSCache
package import JWTCore
internal import Locks

/// A host whose clock the test sets. It counts what it is told.
package final class TestHost: KeySetHost {
    private let state = Locked(State())
    /// The date when the test begins; nil: that of the system, at every moment.
    private let start: NumericDate?

    private struct State {
        var elapsed: Duration = .seconds(5)
        var wakes = 0
        var releases = 0
    }

    package init(start: NumericDate? = nil) { self.start = start }

    package var elapsedNanoseconds: Int64 { state.withLock { $0.elapsed.nanoseconds } }
    package var date: NumericDate {
        start?.advanced(by: state.withLock { $0.elapsed } - .seconds(5)) ?? SystemClock().now
    }
    package var wakes: Int { state.withLock { $0.wakes } }
    package var releases: Int { state.withLock { $0.releases } }

    package func advance(_ duration: Duration) { state.withLock { $0.elapsed += duration } }
    package func wake() { state.withLock { $0.wakes += 1 } }
    package func release() { state.withLock { $0.releases += 1 } }
}
