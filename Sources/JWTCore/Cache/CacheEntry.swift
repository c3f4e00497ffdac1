internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The cached data of one verified token. It has its own memory, which is never written after construction (except the mark) and is freed
/// when it has no readers:
///
///     [ mark, facts ][ header's tape ][ payload's tape ][ header ][ payload ][ the token, or its digest ]
///                    |------------------------ claims ------------------------|
@safe
struct CacheEntry: BitwiseCopyable, @unchecked Sendable {
    struct Facts: BitwiseCopyable {
        let key: Key
        /// The time of the signature verification: the `now` that the token was judged for.
        let verifiedAt: Int64
        let byteCount: Int
        let identityCount: UInt32
        let lengths: Lengths
        let members: JOSEHeader.Members
        let places: ClaimPlaces
        let keyPosition: Int
        let algorithm: SignatureAlgorithm
        let curve: Curve?
    }

    /// The conditions under which a verdict holds, besides the token itself.
    struct Key: BitwiseCopyable {
        /// The token's hash, under the context.
        let hash: UInt64
        /// Identifies the verifier: its policy and its limits.
        let context: UInt64
        /// The serial of the key set with the key.
        let keySetSerial: UInt64
    }

    /// The lengths of the runs in the claims part, which give their offsets.
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
        /// Bytes of the whole claims part.
        var byteCount: Int { payloadTextOffset + Int(payloadText) }
    }

    // SAFETY: a caller with an entry is in the read-side critical section that loaded it, or holds the lock of its shard.
    let start: UnsafeMutableRawPointer

    init(_ start: UnsafeMutableRawPointer) { unsafe self.start = start }

    /// Copies header, claims and identity; nil if memory is exhausted.
    init?(_ claims: borrowing Claims, identity: Span<UInt8>, key: Key, verifiedAt: Int64) {
        let lengths = Lengths(claims)
        let byteCount = Self.byteCount(lengths, identityCount: identity.count)
        guard let memory = unsafe malloc(byteCount) else { return nil }
        unsafe start = memory
        let facts = Facts(
            key: key, verifiedAt: verifiedAt, byteCount: byteCount, identityCount: UInt32(identity.count), lengths: lengths,
            members: claims.header.members, places: claims.places, keyPosition: claims.keyPosition, algorithm: claims.algorithm,
            curve: claims.curve)
        // SAFETY: the count above includes each run.
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

    /// Frees the memory.
    @unsafe
    func release() { unsafe free(start) }

    /// The bytes of an entry, including the allocator's overhead.
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
            // SAFETY: `init` wrote that many bytes there; they are valid while this entry may be read.
            let first = unsafe (start + Self.claimsOffset + facts.lengths.byteCount).assumingMemoryBound(to: UInt8.self)
            let span = unsafe Span(_unsafeStart: UnsafePointer(first), count: Int(facts.identityCount))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The facts and, from ``claimsOffsetInCopy``, the claims part: the bytes that a hit copies.
    var factsAndClaims: UnsafeRawBufferPointer {
        let byteCount = Self.claimsOffsetInCopy + facts.lengths.byteCount
        return unsafe UnsafeRawBufferPointer(start: start + Self.factsOffset, count: byteCount)
    }

    static let claimsOffsetInCopy = claimsOffset - factsOffset

    // The mark

    private var mark: UnsafeMutablePointer<Atomic<Bool>> { unsafe start.assumingMemoryBound(to: Atomic<Bool>.self) }

    /// Whether the entry was used.
    var isMarked: Bool { unsafe mark.pointee.load(ordering: .relaxed) }

    /// Marks the entry as used. Writes only if it is not marked yet, so that a busy entry's cache line stays shared by all its readers.
    func noteUse() {
        if !isMarked { unsafe mark.pointee.store(true, ordering: .relaxed) }
    }

    /// Returns whether the entry was used since the last call, and clears the mark.
    func takeMark() -> Bool {
        guard isMarked else { return false }
        unsafe mark.pointee.store(false, ordering: .relaxed)
        return true
    }

    // The mark is in the cache line where the facts begin, which every reader loads anyway.
    private static let factsOffset = 8
    private static let claimsOffset = (factsOffset + MemoryLayout<Facts>.size + 15) / 16 * 16
}
