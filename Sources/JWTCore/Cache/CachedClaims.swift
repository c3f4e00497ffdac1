internal import CJWTKernels

/// A cached token's data, copied to memory of this thread. The entry can be freed while the policy and the caller's code, which may take
/// any time, use the copy (Docs/Decisions/0013).
@safe
struct CachedClaims: ~Copyable {
    private let memory: UnsafeMutableRawPointer

    /// Nil if memory is exhausted. Call it within the section that loaded `entry`.
    init?(copying entry: CacheEntry) {
        let kept = unsafe entry.factsAndClaims
        guard let memory = unsafe cjwt_scratch_acquire(kept.count) else { return nil }
        // SAFETY: the memory has at least that many bytes and belongs to this value until it is released.
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: kept.count).copyMemory(from: kept)
        unsafe self.memory = memory
    }

    deinit { unsafe cjwt_scratch_release(memory) }

    /// The header. It belongs to a JWT, so its payload was encoded.
    var header: JOSEHeader {
        @_lifetime(borrow self) get {
            let facts = facts
            let value = JSONValue(text: headerText(facts.lengths), tape: headerTape(facts.lengths))
            return JOSEHeader(kept: value, members: facts.members, algorithm: facts.algorithm)
        }
    }

    /// The claims. The question matched the entry's key, so their signature was verified.
    var claims: Claims {
        @_lifetime(borrow self) get {
            let facts = facts
            let value = JSONValue(text: payloadText(facts.lengths), tape: payloadTape(facts.lengths))
            return Claims(kept: value, header: header, keyPosition: facts.keyPosition, curve: facts.curve, places: facts.places)
        }
    }

    private var facts: CacheEntry.Facts { unsafe memory.load(as: CacheEntry.Facts.self) }

    @_lifetime(borrow self)
    private func headerTape(_ lengths: CacheEntry.Lengths) -> Span<JSONNode> { run(0, lengths.headerNodes) }

    @_lifetime(borrow self)
    private func payloadTape(_ lengths: CacheEntry.Lengths) -> Span<JSONNode> { run(lengths.payloadTapeOffset, lengths.payloadNodes) }

    @_lifetime(borrow self)
    private func headerText(_ lengths: CacheEntry.Lengths) -> Span<UInt8> { run(lengths.headerTextOffset, lengths.headerText) }

    @_lifetime(borrow self)
    private func payloadText(_ lengths: CacheEntry.Lengths) -> Span<UInt8> { run(lengths.payloadTextOffset, lengths.payloadText) }

    @_lifetime(borrow self)
    private func run<Element: BitwiseCopyable>(_ offset: Int, _ count: UInt32) -> Span<Element> {
        // SAFETY: the entry had `count` elements there, correctly aligned. Valid while self is borrowed.
        let start = unsafe (memory + CacheEntry.claimsOffsetInCopy + offset).assumingMemoryBound(to: Element.self)
        let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: Int(count)))
        return unsafe _overrideLifetime(span, borrowing: self)
    }
}
