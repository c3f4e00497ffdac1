/// Reads one JSON text (strict RFC 8259) onto a tape in a single pass, without recursion and without allocating.
///
/// It also refuses: ill-formed UTF-8, escaped surrogates without a partner, two members with one name in an object at any depth (RFC 7515
/// section 4, RFC 7519 section 4), and everything beyond the limits.
package struct JSONTokenizer: ~Copyable, ~Escapable {
    let text: Span<UInt8>
    var tape: MutableSpan<JSONNode>
    let limits: JSONLimits
    var position = 0
    var count = 0
    /// The record of the innermost open container, or -1. In an open container's records, `next` is the container around it, `length` saves
    /// its ``names`` while another one is open inside, and the `next` of each of its names is that name's hash.
    private var container = -1
    private var depth = 0
    private var values = 0
    var escapes = 0
    private var inObject = false
    /// A Bloom filter of the innermost object's first names: one bit per five bits of each hash. A clear bit proves that a name is new.
    private var names: UInt32 = 0
    /// The names of objects with more members.
    private var set: JSONNameSet?

    /// - Parameter tape: receives the records; it has room for `limits.values` and as many names.
    @_lifetime(copy text, copy tape)
    package init(_ text: Span<UInt8>, tape: consuming MutableSpan<JSONNode>, limits: JSONLimits) {
        self.text = text
        self.tape = tape
        self.limits = limits
    }

    /// Reads the text and returns the number of records. The first record is the whole text.
    ///
    /// - Throws: `invalid_utf8`, `invalid_json`, `duplicate_member`, `nesting_too_deep`, `too_many_members`, `token_too_large`,
    ///   with the offset in the text.
    package mutating func tokenize() throws(VerificationError) -> Int {
        let count = try tape.read(text, limits)
        return count > 0 ? count : try tokenizeByReference()
    }

    /// The same, byte by byte and only in Swift: it also reads names with escapes, and is the reference for the fast path.
    package mutating func tokenizeByReference() throws(VerificationError) -> Int {
        let utf8End = text.utf8End()
        guard utf8End == text.count else { throw VerificationError(.invalidUTF8, at: utf8End) }
        skipWhitespace()
        while true {
            let opened = try value()
            if opened {
                skipWhitespace()
                if !closesContainer(peek()) {
                    if inObject { try name() }
                    continue
                }
            }
            guard try advanceBehindValue() else { return count }
        }
    }

    /// After a value: closes the containers that end here and goes to the next value. False at the end of the text.
    private mutating func advanceBehindValue() throws(VerificationError) -> Bool {
        while true {
            skipWhitespace()
            guard container >= 0 else {
                guard position == text.count else { throw failure() }
                return false
            }
            let byte = peek()
            if closesContainer(byte) {
                close()
            } else if byte == UInt8(ascii: ",") {
                position += 1
                skipWhitespace()
                if inObject { try name() }
                return true
            } else {
                throw failure()
            }
        }
    }

    // Values

    /// Reads one value, or opens one: true for a container, which is then the innermost.
    private mutating func value() throws(VerificationError) -> Bool {
        guard values < limits.values else { throw VerificationError(.tooManyMembers, at: position) }
        values += 1
        if container >= 0 { tape[container].count += 1 }
        switch peek() {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"): try open(.object); return true
        case UInt8(ascii: "["): try open(.array); return true
        case UInt8(ascii: "t"): try literal("true", .true)
        case UInt8(ascii: "f"): try literal("false", .false)
        case UInt8(ascii: "n"): try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw failure()
        }
        return false
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONNode.Kind) throws(VerificationError) {
        let end = position + word.utf8CodeUnitCount
        guard end <= text.count, text.extracting(position..<end).equals(word) else { throw failure() }
        try append(JSONNode(kind, start: position, length: end - position))
        position = end
    }

    private mutating func open(_ kind: JSONNode.Kind) throws(VerificationError) {
        guard depth < limits.depth else { throw VerificationError(.nestingTooDeep, at: position) }
        try append(JSONNode(kind, start: position))
        tape[count - 1].next = UInt32(truncatingIfNeeded: container)
        if container >= 0 { tape[container].length = names }
        container = count - 1
        inObject = kind == .object
        names = 0
        depth += 1
        position += 1
    }

    private mutating func close() {
        let closed = container
        if inObject { forgetHashes(of: closed) }
        container = Int(Int32(bitPattern: tape[closed].next))
        depth -= 1
        if container >= 0 {
            inObject = tape[container].kind == .object
            names = tape[container].length
        }
        position += 1
        tape[closed].length = UInt32(truncatingIfNeeded: position) - tape[closed].start
        tape[closed].next = UInt32(truncatingIfNeeded: count)
    }

    /// The record after a name is its value.
    private mutating func forgetHashes(of object: Int) {
        var name = object + 1
        while name < count {
            tape[name].next = UInt32(truncatingIfNeeded: name + 1)
            name = Int(tape[name + 1].next)
        }
    }

    /// Adds the record of a complete value (a container's record is completed when it closes).
    @inline(__always)
    mutating func append(_ node: JSONNode) throws(VerificationError) {
        guard count < tape.count else { throw VerificationError(.tooManyMembers, at: position) }
        var node = node
        node.next = UInt32(truncatingIfNeeded: count + 1)
        tape[count] = node
        count += 1
    }

    // Names

    /// Reads a member's name and the colon after it.
    private mutating func name() throws(VerificationError) {
        let start = position
        guard peek() == UInt8(ascii: "\"") else { throw failure() }
        try string()
        try refuseDuplicate(at: start)
        skipWhitespace()
        guard peek() == UInt8(ascii: ":") else { throw failure() }
        position += 1
        skipWhitespace()
    }

    private mutating func refuseDuplicate(at start: Int) throws(VerificationError) {
        guard tape[container].count < limits.members else { throw VerificationError(.tooManyMembers, at: start) }
        let isTooSlow = tape[count - 1].flag && text.count > limits.escapedNameBytes
        guard !isTooSlow else { throw VerificationError(.tokenTooLarge, at: start) }
        let name = count - 1, hash = JSONNameHash.ofProcess.value(string(at: name))
        tape[name].next = hash
        guard try isNew(name, hash) else { throw VerificationError(.duplicateMember, at: start) }
    }

    private mutating func isNew(_ name: Int, _ hash: UInt32) throws(VerificationError) -> Bool {
        // The value of this name is not counted yet.
        let earlier = tape[container].count
        guard earlier < JSONNameSet.least else { return try isNewAmongMany(name, isFirstOfMany: earlier == JSONNameSet.least) }
        let bit = UInt32(1) << (hash & 31), mayBeRepeated = names & bit != 0
        names |= bit
        guard mayBeRepeated else { return true }
        var other = container + 1
        while other < name {
            if isSame(other, name) { return false }
            other = Int(tape[other + 1].next)
        }
        return true
    }

    private mutating func isNewAmongMany(_ name: Int, isFirstOfMany: Bool) throws(VerificationError) -> Bool {
        var set = try takeSet()
        var other = isFirstOfMany ? container + 1 : name
        while other < name {
            _ = insert(other, &set)
            other = Int(tape[other + 1].next)
        }
        let isNew = insert(name, &set)
        self.set = consume set
        return isNew
    }

    private mutating func takeSet() throws(VerificationError) -> JSONNameSet {
        if let set = set.take() { return set }
        // A member takes at least five bytes.
        return try JSONNameSet(names: min(text.count / 5, limits.values) + 1)
    }

    private func insert(_ name: Int, _ set: inout JSONNameSet) -> Bool {
        set.insert(name, of: container, hash: tape[name].next) { isSame($0, name) }
    }

    private func isSame(_ other: Int, _ name: Int) -> Bool {
        tape[other].next == tape[name].next && string(at: other).equals(string(at: name))
    }

    @_lifetime(copy self)
    private func string(at record: Int) -> JSONString {
        JSONString(text.extracting(tape[record].range), isEscaped: tape[record].flag)
    }

    // Characters

    @inline(__always)
    private func closesContainer(_ byte: UInt8) -> Bool { byte == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) }

    /// The byte at the position; after the end a NUL, which no rule of the grammar accepts.
    @inline(__always)
    func peek() -> UInt8 { position < text.count ? text[position] : 0 }

    @inline(__always)
    private mutating func skipWhitespace() {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0a, 0x0d: position += 1
            default: return
            }
        }
    }

    func failure() -> VerificationError { VerificationError(.invalidJSON, at: position) }
}
