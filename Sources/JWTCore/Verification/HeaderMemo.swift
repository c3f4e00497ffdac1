internal import CJWTKernels

/// A parsed header that this thread has seen before. A key's tokens share their header, byte for byte, so the next one is recognised by
/// comparison instead of being decoded and parsed.
///
/// A parsed header does not depend on keys or policy, only on ``TokenLimits``, which are compared as well. It is stored only after a
/// signature was verified, so an attacker without a key cannot fill the memory; in any case a thread stores at most eight headers. The key
/// that fits it is stored with its set's number. While a verification borrows the entry, another one on the same thread parses its header
/// itself.
@safe
struct HeaderMemo: ~Copyable {
    private let block: UnsafeMutableRawPointer?

    /// Borrows the entry for headers like `text`. Has no memory if the thread has none, or if another verification has borrowed the entry.
    init(for text: Span<UInt8>) {
        // SAFETY: only this value uses the block until it is released; it holds CJWT_KEPT_SIZE bytes and begins as zeros.
        unsafe block = text.withUnsafeBufferPointer { unsafe cjwt_kept_acquire($0.baseAddress, $0.count) }
    }

    deinit { unsafe cjwt_kept_release(block) }

    /// Whether `text` is the stored header, read under these limits.
    func recognises(_ text: Span<UInt8>, _ limits: TokenLimits) -> Bool {
        guard let facts, facts.textCount == text.count, facts.limits == HeaderLimits(limits) else { return false }
        return self.text(facts).equals(text)
    }

    /// The stored header; call this only after it was recognised.
    var header: JOSEHeader {
        @inline(__always) @_lifetime(borrow self) get {
            let facts = facts ?? Facts()
            let value = JSONValue(text: decoded(facts), tape: tape(facts))
            return JOSEHeader(kept: value, members: facts.members, algorithm: facts.algorithm)
        }
    }

    /// The only key that fitted the header in the set of its last token.
    var chosenKey: ChosenKey { facts?.chosenKey ?? ChosenKey() }

    /// Stores the key that verified a token with the stored header.
    func note(_ proof: borrowing SignatureVerified) {
        guard proof.isOnlyChoice, let block = unsafe block, chosenKey.keySetSerial != proof.keySetSerial else { return }
        let chosenKey = ChosenKey(keySetSerial: proof.keySetSerial, position: proof.keyPosition)
        var facts = facts ?? Facts()
        facts.chosenKey = chosenKey
        // SAFETY: only this value uses the block, and no lent view of it covers its facts.
        unsafe block.storeBytes(of: facts, as: Facts.self)
    }

    /// Stores `header`, a JWT's header that was read from `text`, unless it is too long.
    mutating func keep(_ header: borrowing JOSEHeader, _ text: Span<UInt8>, _ limits: TokenLimits) {
        let value = header.value
        guard let block = unsafe block, text.count <= Self.decodedOffset - Self.textOffset,
            value.text.count <= Self.tapeOffset - Self.decodedOffset,
            value.tape.count * MemoryLayout<JSONNode>.stride <= Int(CJWT_KEPT_SIZE) - Self.tapeOffset
        else { return }
        var facts = Facts()
        facts.limits = HeaderLimits(limits)
        facts.textCount = text.count
        facts.decodedCount = value.text.count
        facts.nodeCount = value.tape.count
        facts.members = header.members
        facts.algorithm = header.algorithm
        // SAFETY: the lines above check that each run fits.
        unsafe block.storeBytes(of: facts, as: Facts.self)
        unsafe Self.copy(text, to: block + Self.textOffset)
        unsafe Self.copy(value.text, to: block + Self.decodedOffset)
        unsafe Self.copy(value.tape, to: block + Self.tapeOffset)
    }

    @unsafe
    private static func copy<Element: BitwiseCopyable>(_ span: Span<Element>, to start: UnsafeMutableRawPointer) {
        unsafe span.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: bytes)
        }
    }

    private var facts: Facts? {
        guard let block = unsafe block else { return nil }
        // SAFETY: zeros, which are the Facts of an empty text, or what `keep` stored.
        return unsafe block.load(as: Facts.self)
    }

    @_lifetime(borrow self)
    private func text(_ facts: Facts) -> Span<UInt8> { run(Self.textOffset, facts.textCount) }

    @_lifetime(borrow self)
    private func decoded(_ facts: Facts) -> Span<UInt8> { run(Self.decodedOffset, facts.decodedCount) }

    @_lifetime(borrow self)
    private func tape(_ facts: Facts) -> Span<JSONNode> { run(Self.tapeOffset, facts.nodeCount) }

    @_lifetime(borrow self)
    private func run<Element: BitwiseCopyable>(_ offset: Int, _ count: Int) -> Span<Element> {
        // SAFETY: `keep` stored `count` elements there; without a block the count is zero. Valid while self is borrowed.
        let start = unsafe block.map { unsafe ($0 + offset).assumingMemoryBound(to: Element.self) }
        let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count))
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    private static let textOffset = 256
    private static let decodedOffset = 768
    private static let tapeOffset = 1152

    private struct Facts: BitwiseCopyable {
        var limits = HeaderLimits(.standard)
        var textCount = 0
        var decodedCount = 0
        var nodeCount = 0
        var members = JOSEHeader.Members()
        var algorithm = SignatureAlgorithm.rs256
        var chosenKey = ChosenKey()
    }
}

/// The part of ``TokenLimits`` that decides how a header is read.
private struct HeaderLimits: BitwiseCopyable, Equatable {
    let bytes: Int
    let json: JSONLimits

    init(_ limits: TokenLimits) {
        bytes = limits.headerBytes
        json = limits.headerJSON
    }
}
