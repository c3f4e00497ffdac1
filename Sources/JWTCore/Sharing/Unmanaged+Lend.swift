extension Unmanaged {
    /// Lends the object to `body` without changing its reference count, which every core would write to. The standard library's version
    /// supports neither typed errors nor noncopyable results.
    @unsafe
    @inlinable
    @inline(__always)
    package func lend<Result: ~Copyable, Failure: Error>(_ body: (Instance) throws(Failure) -> Result) throws(Failure) -> Result {
        var result: Result?
        var failure: Failure?
        unsafe _withUnsafeGuaranteedRef { instance in
            do throws(Failure) { result = try body(instance) } catch { failure = error }
        }
        guard let result = result.take() else {
            // SAFETY: the closure has run, so one of the two is set.
            throw unsafe failure.unsafelyUnwrapped
        }
        return result
    }
}
