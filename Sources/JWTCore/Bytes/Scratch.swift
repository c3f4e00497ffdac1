internal import CJWTKernels

/// Memory of this thread, borrowed for one verification and reused by the next. After the first token on a thread, verifying allocates
/// nothing.
///
/// It stays on the thread that borrowed it: the type is neither copyable nor `Sendable`, and no caller suspends while it holds one.
@safe
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
    private let base: UnsafeMutablePointer<Element>
    let capacity: Int

    /// - Throws: `token_too_large` if memory is exhausted.
    init(capacity: Int) throws(VerificationError) {
        guard let memory = unsafe cjwt_scratch_acquire(max(1, capacity) * MemoryLayout<Element>.stride) else {
            throw VerificationError(.tokenTooLarge)
        }
        // SAFETY: at least `capacity` elements, 64-byte aligned; any bit pattern is a value of a BitwiseCopyable integer record.
        unsafe base = memory.assumingMemoryBound(to: Element.self)
        self.capacity = capacity
    }

    deinit { unsafe cjwt_scratch_release(base) }

    /// The elements of `range`, for reading.
    @_lifetime(borrow self)
    func span(_ range: Range<Int>) -> Span<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        // SAFETY: the range is within the capacity; the memory is valid while self is borrowed.
        let span = unsafe Span(_unsafeStart: base + range.lowerBound, count: range.count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// All elements, for writing.
    @_lifetime(&self)
    mutating func mutableSpan(from start: Int = 0) -> MutableSpan<Element> {
        precondition(start >= 0 && start <= capacity)
        // SAFETY: the range is within the capacity; the memory is valid and exclusive while self is mutated.
        let span = unsafe MutableSpan(_unsafeStart: base + start, count: capacity - start)
        return unsafe _overrideLifetime(span, mutating: &self)
    }
}
