internal import CAssayInterface
internal import JWKSCache
internal import JWTCore

/// What the host gives for a set of keys beside its responses: a clock, a function that wakes the thread that fetches, and one that takes
/// their context back.
@safe
struct Host: @unchecked Sendable {
    // SAFETY: the host answers for the functions and their context on every thread, as long as the keys live.
    private let clock: (@convention(c) (UnsafeMutableRawPointer?) -> Int64)?
    private let wakeFunction: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    private let releaseFunction: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    private let context: UnsafeMutableRawPointer?

    init() {
        unsafe clock = nil
        unsafe wakeFunction = nil
        unsafe releaseFunction = nil
        unsafe context = nil
    }

    @unsafe
    init(
        clock: (@convention(c) (UnsafeMutableRawPointer?) -> Int64)?, wake: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
        release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, context: UnsafeMutableRawPointer?
    ) {
        unsafe self.clock = clock
        unsafe wakeFunction = wake
        unsafe releaseFunction = release
        unsafe self.context = context
    }

    @unsafe
    init(_ options: assay_refresh_options) {
        unsafe self.init(clock: options.clock, wake: options.wake, release: options.release, context: options.context)
    }

    /// Nanoseconds since an arbitrary origin.
    var elapsedNanoseconds: Int64 {
        guard let clock = unsafe clock else { return SystemElapsedClock().elapsedNanoseconds }
        return unsafe max(0, clock(context))
    }

    var date: NumericDate { SystemClock().now }

    /// Tells the host that a fetch is due.
    func wake() { unsafe wakeFunction?(context) }

    /// Tells the host that nothing calls its functions any more. For the owner of the keys.
    func release() { unsafe releaseFunction?(context) }
}
