#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import Synchronization

/// What a cache keeps of one verified token: memory of its own, but for the mark never written after it was made, and freed once nobody
/// reads it:
///
///     [ mark, facts ][ header's tape ][ payload's tape ][ header ][ payload ][ the token, or its digest ]
///                    |------------------------ claims ------------------------|
@safe
struct CacheEntry: BitwiseCopyable, @unchecked Sendable {
    struct Facts: BitwiseCopyable {
        let key: Key
        /// When the signature was verified: the moment that the token was judged for.
        let verifiedAt: Int64
        let byteCount: Int
        let identityCount: UInt32
        let lengths: Lengths
        let members: JOSEHeader.Members
        let places: ClaimPlaces
        let keyPosition: Int
        let algorithm: SignatureAlgorithm
        let group: KeyGroup?
    }

    /// What a verdict holds for, beside the token itself.
    struct Key: BitwiseCopyable {
        /// The token's, under the context.
        let hash: UInt64
        /// Which verifier it was: its policy and its limits.
        let context: UInt64
        /// Which set had the key.
        let keySetSerial: UInt64
    }

    /// Where what is in the claims' part.
    struct Lengths: BitwiseCopyable {
        let headerNodes: UInt32
        let payloadNodes: UInt32
        let headerText: UInt32
        let payloadText: UInt32

        init(_ claims: borrowing Claims) {
            headerNodes = UInt32(claims.header.value.tape.count)
            payloadNodes = UInt32(claims.value.tape.count)
            headerText = UInt32(claims.header.value.text.count)
            payloadText = UInt32(claims.value.text.count)
        }

        var payloadTapeOffset: Int { Int(headerNodes) * MemoryLayout<JSONNode>.stride }
        var headerTextOffset: Int { payloadTapeOffset + Int(payloadNodes) * MemoryLayout<JSONNode>.stride }
        var payloadTextOffset: Int { headerTextOffset + Int(headerText) }
        /// All of the claims' part.
        var byteCount: Int { payloadTextOffset + Int(payloadText) }
    }

    // SAFETY: whoever has an entry has loaded it within a read-side critical section and not left that, or holds the lock of its shard.
    let start: UnsafeMutableRawPointer

    init(_ start: UnsafeMutableRawPointer) { unsafe self.start = start }

    /// Copies what is to be kept; nil where memory is exhausted.
    init?(_ claims: borrowing Claims, identity: Span<UInt8>, key: Key, verifiedAt: Int64) {
        let lengths = Lengths(claims)
        let byteCount = Self.byteCount(lengths, identityCount: identity.count)
        guard let memory = unsafe malloc(byteCount) else { return nil }
        unsafe start = memory
        let facts = Facts(
            key: key, verifiedAt: verifiedAt, byteCount: byteCount, identityCount: UInt32(identity.count), lengths: lengths,
            members: claims.header.members, places: claims.places, keyPosition: claims.keyPosition, algorithm: claims.algorithm,
            group: claims.group)
        // SAFETY: each run has its room, by the count above.
        unsafe memory.bindMemory(to: Atomic<Bool>.self, capacity: 1).initialize(to: Atomic(false))
        unsafe (memory + Self.factsOffset).storeBytes(of: facts, as: Facts.self)
        let copy = unsafe memory + Self.claimsOffset
        unsafe Self.copy(claims.header.value.tape, to: copy)
        unsafe Self.copy(claims.value.tape, to: copy + lengths.payloadTapeOffset)
        unsafe Self.copy(claims.header.value.text, to: copy + lengths.headerTextOffset)
        unsafe Self.copy(claims.value.text, to: copy + lengths.payloadTextOffset)
        unsafe Self.copy(identity, to: copy + lengths.byteCount)
    }

    @unsafe
    private static func copy<Element: BitwiseCopyable>(_ span: Span<Element>, to start: UnsafeMutableRawPointer) {
        unsafe span.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: bytes)
        }
    }

    /// Gives the memory back.
    @unsafe
    func release() { unsafe free(start) }

    /// The bytes of an entry, with what the allocator adds.
    static func byteCount(_ lengths: Lengths, identityCount: Int) -> Int {
        (claimsOffset + lengths.byteCount + identityCount + 15) / 16 * 16 + 16
    }

    var facts: Facts { unsafe (start + Self.factsOffset).load(as: Facts.self) }
    var key: Key { facts.key }
    var byteCount: Int { facts.byteCount }

    /// The token, or its digest.
    var identity: Span<UInt8> {
        @_lifetime(borrow self) get {
            let facts = facts
            // SAFETY: `init` has put as many bytes there; alive as long as this entry may be read.
            let first = unsafe (start + Self.claimsOffset + facts.lengths.byteCount).assumingMemoryBound(to: UInt8.self)
            let span = unsafe Span(_unsafeStart: UnsafePointer(first), count: Int(facts.identityCount))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The facts and, from ``claimsOffsetInCopy``, the claims' part: all that is copied for a hit.
    var factsAndClaims: UnsafeRawBufferPointer {
        let byteCount = Self.claimsOffsetInCopy + facts.lengths.byteCount
        return unsafe UnsafeRawBufferPointer(start: start + Self.factsOffset, count: byteCount)
    }

    static let claimsOffsetInCopy = claimsOffset - factsOffset

    // The mark

    private var mark: UnsafeMutablePointer<Atomic<Bool>> { unsafe start.assumingMemoryBound(to: Atomic<Bool>.self) }

    /// Whether it was of use.
    var isMarked: Bool { unsafe mark.pointee.load(ordering: .relaxed) }

    /// Notes that the entry was of use. Writes where that was not noted yet, so that a busy entry's cache line stays with all its readers.
    func noteUse() {
        if !isMarked { unsafe mark.pointee.store(true, ordering: .relaxed) }
    }

    /// Whether it was of use since this was last asked.
    func takeMark() -> Bool {
        guard isMarked else { return false }
        unsafe mark.pointee.store(false, ordering: .relaxed)
        return true
    }

    // The mark is in the cache line where the facts begin, which a reader needs anyway.
    private static let factsOffset = 8
    private static let claimsOffset = (factsOffset + MemoryLayout<Facts>.size + 15) / 16 * 16
}
