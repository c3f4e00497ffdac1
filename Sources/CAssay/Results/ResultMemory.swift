internal import CAssayInterface
internal import JWTCore
internal import Synchronization

/// A result in the caller's memory, drawn in ResultHead.swift. A function that gets one calls ``leave()`` at its end: until then no thread
/// changes what it reads, or reads what it writes. A thread that comes meanwhile, against the rules, is refused.
@safe
struct ResultMemory {
    private let base: UnsafeMutableRawPointer
    private let isWriting: Bool

    /// What the result said when it was entered.
    let head: ResultHead

    /// Makes an empty result.
    @unsafe
    init?(in memory: UnsafeMutableRawPointer?, capacity: Int) {
        guard let memory = unsafe memory, capacity >= ResultHead.size, UInt(bitPattern: memory) % UInt(ResultHead.alignment) == 0
        else { return nil }
        unsafe base = memory
        isWriting = false
        head = ResultHead(capacity: capacity)
        unsafe memory.initializeMemory(as: ResultHead.self, to: head)
        unsafe Self.users(of: memory).initialize(to: Atomic(0))
    }

    /// The result that a pointer of the caller stands for; nil for NULL, for memory that is no result, and for a result that another thread
    /// is using in a way that excludes this one.
    @unsafe
    init?(_ result: OpaquePointer?, isWriting: Bool = false) {
        guard let result = unsafe result, UInt(bitPattern: result) % UInt(ResultHead.alignment) == 0 else { return nil }
        unsafe base = UnsafeMutableRawPointer(result)
        self.isWriting = isWriting
        // SAFETY: the mark is the first member, and never changes. Only it is read of memory that may be no result.
        guard unsafe base.load(as: UInt64.self) == ResultHead.currentMark, unsafe Self.enter(base, isWriting) else { return nil }
        head = unsafe base.load(as: ResultHead.self)
    }

    func leave() {
        if isWriting {
            unsafe Self.users(of: base).pointee.store(0, ordering: .releasing)
        } else {
            unsafe Self.users(of: base).pointee.subtract(1, ordering: .releasing)
        }
    }

    /// What a result says beside its claims.
    @unsafe
    static func head(of result: OpaquePointer?) -> ResultHead? {
        guard let memory = unsafe ResultMemory(result) else { return nil }
        defer { memory.leave() }
        return memory.head
    }

    var pointer: OpaquePointer { unsafe OpaquePointer(base) }

    // Threads

    /// The number of readers at this moment, or -1 for a writer.
    @unsafe
    private static func users(of base: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Atomic<Int>> {
        unsafe (base + ResultHead.usersOffset).assumingMemoryBound(to: Atomic<Int>.self)
    }

    @unsafe
    private static func enter(_ base: UnsafeMutableRawPointer, _ isWriting: Bool) -> Bool {
        let users = unsafe Self.users(of: base)
        if isWriting { return unsafe users.pointee.compareExchange(expected: 0, desired: -1, ordering: .acquiring).exchanged }
        var count = unsafe users.pointee.load(ordering: .relaxed)
        while count >= 0 {
            let (isExchanged, current) = unsafe users.pointee.weakCompareExchange(expected: count, desired: count + 1, ordering: .acquiring)
            if isExchanged { return true }
            count = current
        }
        return false
    }

    // Writing

    func reset() {
        var head = head
        head.reset()
        store(head)
    }

    func refuse(_ error: VerificationError) {
        var head = head
        head.reset()
        head.content = .refusal
        head.code = assay_code(error.code.number)
        head.offset = Int64(error.offset ?? -1)
        head.claim = error.claim.map { Int32($0.rawValue) } ?? -1
        store(head)
    }

    /// Copies the claims of a valid token.
    ///
    /// - Returns: ok, or result_too_small.
    func keep(_ claims: borrowing Claims) -> assay_code {
        keep(claims.value, claims.header.value, .claims)
    }

    /// Copies a payload that is not claims.
    func keep(_ payload: Span<UInt8>, _ header: borrowing JOSEHeader) -> assay_code {
        keep(JSONValue(text: payload, tape: Span<JSONNode>()), header.value, .payload)
    }

    private func keep(_ payload: borrowing JSONValue, _ header: borrowing JSONValue, _ content: ResultHead.Content) -> assay_code {
        var head = head
        head.reset()
        head.content = content
        head.code = .ok
        (head.payloadRecords, head.headerRecords) = (payload.tape.count, header.tape.count)
        (head.payloadCount, head.headerCount) = (payload.text.count, header.text.count)
        let places = ResultPlaces(head), hasEscapes = payload.hasEscapes || header.hasEscapes
        head.needed = hasEscapes ? places.end : places.unescaped
        if head.needed > head.capacity {
            head.code = .resultTooSmall
            head.content = .nothing
        } else {
            copy(payload, places.payloadTape, places.payload)
            copy(header, places.headerTape, places.header)
            if hasEscapes {
                unescape(payload, into: places.unescaped)
                unescape(header, into: places.unescaped + head.payloadCount)
            }
        }
        store(head)
        return head.code
    }

    private func store(_ head: ResultHead) { unsafe base.storeBytes(of: head, as: ResultHead.self) }

    private func copy(_ value: borrowing JSONValue, _ tapePlace: Int, _ textPlace: Int) {
        // SAFETY: the places and counts are within the capacity; the token's memory is not the result's.
        unsafe value.tape.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(start: base + tapePlace, count: $0.count).copyMemory(from: $0)
        }
        unsafe value.text.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(start: base + textPlace, count: $0.count).copyMemory(from: $0)
        }
    }

    private func unescape(_ document: borrowing JSONValue, into place: Int) {
        for index in 0..<document.tape.count {
            guard let string = JSONValue(text: document.text, tape: document.tape, index: index).string, string.isEscaped else { continue }
            var target = place + string.raw.offset(in: document.text)
            // SAFETY: the unescaped string and its end are no longer than its text, which is within the document.
            for byte in string.utf8 {
                unsafe base.storeBytes(of: byte, toByteOffset: target, as: UInt8.self)
                target += 1
            }
            unsafe base.storeBytes(of: 0xff, toByteOffset: target, as: UInt8.self)
        }
    }

    // Reading

    /// The payload of a valid token; without records if it is not claims.
    var payload: JSONValue {
        @_lifetime(borrow self) get {
            let places = ResultPlaces(head)
            return document(tape: places.payloadTape, head.payloadRecords, text: places.payload, head.payloadCount)
        }
    }

    /// The header of a valid token.
    var header: JSONValue {
        @_lifetime(borrow self) get {
            let places = ResultPlaces(head)
            return document(tape: places.headerTape, head.headerRecords, text: places.header, head.headerCount)
        }
    }

    @_lifetime(borrow self)
    private func document(tape: Int, _ records: Int, text: Int, _ count: Int) -> JSONValue {
        // SAFETY: `keep` wrote records and text there. They stay until the caller resets the result or frees its memory.
        let tape = unsafe Span<JSONNode>(_unsafeStart: (base + tape).assumingMemoryBound(to: JSONNode.self), count: records)
        let text = unsafe Span<UInt8>(_unsafeStart: (base + text).assumingMemoryBound(to: UInt8.self), count: count)
        return unsafe _overrideLifetime(JSONValue(text: text, tape: tape), borrowing: self)
    }

    /// A text of the result for the caller.
    @unsafe
    func text(_ span: Span<UInt8>, widenedBy quotes: Int = 0) -> (start: UnsafePointer<CChar>, count: Int) {
        let offset = place(span) - quotes
        return unsafe (UnsafePointer((base + offset).assumingMemoryBound(to: CChar.self)), span.count + 2 * quotes)
    }

    /// A string of the result, unescaped.
    @unsafe
    func text(_ string: borrowing JSONString) -> (start: UnsafePointer<CChar>, count: Int) {
        guard string.isEscaped else { return unsafe text(string.raw) }
        let places = ResultPlaces(head)
        let start = unsafe base + places.unescaped + (place(string.raw) - places.payload)
        var count = 0
        while count < string.raw.count, unsafe start.load(fromByteOffset: count, as: UInt8.self) != 0xff { count += 1 }
        return unsafe (UnsafePointer(start.assumingMemoryBound(to: CChar.self)), count)
    }

    /// Where a text begins in the memory.
    private func place(_ span: Span<UInt8>) -> Int {
        unsafe span.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe UnsafeRawPointer(base).distance(to: $0) } ?? ResultHead.size
        }
    }
}

/// Where the parts of a result begin.
private struct ResultPlaces {
    let payloadTape = ResultHead.size
    let headerTape: Int
    let payload: Int
    let header: Int
    let unescaped: Int
    let end: Int

    init(_ head: ResultHead) {
        headerTape = ResultHead.size + MemoryLayout<JSONNode>.stride * head.payloadRecords
        payload = headerTape + MemoryLayout<JSONNode>.stride * head.headerRecords
        header = payload + head.payloadCount
        unescaped = header + head.headerCount
        end = unescaped + head.payloadCount + head.headerCount
    }
}

extension JSONValue {
    /// Whether a string or a name of the document has escapes.
    fileprivate var hasEscapes: Bool {
        for index in 0..<tape.count where JSONValue(text: text, tape: tape, index: index).string?.isEscaped ?? false {
            return true
        }
        return false
    }
}

extension Span<UInt8> {
    /// Where this part of `whole` begins in it.
    fileprivate func offset(in whole: Span<UInt8>) -> Int {
        unsafe withUnsafeBytes { part in
            unsafe whole.withUnsafeBytes { whole in
                guard let part = part.baseAddress, let whole = whole.baseAddress else { return 0 }
                return unsafe whole.distance(to: part)
            }
        }
    }
}
