extension Unmanaged {
    /// Lends the object to `body` without counting a reference, which every core would write to. The standard library's own form of
    /// this takes neither typed errors nor results that cannot be copied.
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
            // SAFETY: the closure has run, so there is the one or the other.
            throw unsafe failure.unsafelyUnwrapped
        }
        return result
    }
}
