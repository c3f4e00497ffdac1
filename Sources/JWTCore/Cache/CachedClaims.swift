internal import CJWTKernels

/// What was kept of a verified token, copied to memory of this thread: so the entry may go while the policy and the caller's code, which
/// may take as long as they like, look at it (Docs/Decisions/0013).
@safe
struct CachedClaims: ~Copyable {
    private let memory: UnsafeMutableRawPointer

    /// Nil where memory is exhausted. Within the section that `entry` was loaded in.
    init?(copying entry: CacheEntry) {
        let kept = unsafe entry.factsAndClaims
        guard let memory = unsafe cjwt_scratch_acquire(kept.count) else { return nil }
        // SAFETY: at least as many bytes, of this value alone until it is released.
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: kept.count).copyMemory(from: kept)
        unsafe self.memory = memory
    }

    deinit { unsafe cjwt_scratch_release(memory) }

    /// The header. It is a JWT's, so its payload was encoded.
    var header: JOSEHeader {
        @_lifetime(borrow self) get {
            let facts = facts
            let value = JSONValue(text: headerText(facts.lengths), tape: headerTape(facts.lengths))
            return JOSEHeader(kept: value, members: facts.members, algorithm: facts.algorithm)
        }
    }

    /// The claims. Whoever asked has met the key of the entry, so a signature was verified for them.
    var claims: Claims {
        @_lifetime(borrow self) get {
            let facts = facts
            let value = JSONValue(text: payloadText(facts.lengths), tape: payloadTape(facts.lengths))
            return Claims(kept: value, header: header, keyPosition: facts.keyPosition, group: facts.group, places: facts.places)
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
        // SAFETY: the entry had `count` elements there, at a multiple of their alignment. Alive as long as self is borrowed.
        let start = unsafe (memory + CacheEntry.claimsOffsetInCopy + offset).assumingMemoryBound(to: Element.self)
        let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: Int(count)))
        return unsafe _overrideLifetime(span, borrowing: self)
    }
}
