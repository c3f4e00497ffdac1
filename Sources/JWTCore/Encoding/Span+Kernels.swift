internal import CJWTKernels

// The one place where Swift hands memory to the byte kernels. Each call passes a buffer with its own count; the kernels read and
// write nothing outside (the contract of CJWTKernels.h, tested with guard pages).

extension Span<UInt8> {
    /// The offsets of the first and the second '.' where there are two and no third.
    func bothDots() -> (first: Int, second: Int)? {
        var dots = (0, 0, 0)
        let count = unsafe withUnsafeMutableBytes(of: &dots) { dots in
            unsafe withUnsafeBufferPointer {
                unsafe cjwt_kernels_best().pointee.find_dots(
                    dots.baseAddress?.assumingMemoryBound(to: Int.self), 3, $0.baseAddress, $0.count)
            }
        }
        return count == 2 ? (dots.0, dots.1) : nil
    }

    /// The offset of the first '.' at or after `start`, or `count`. `start` may lie behind the end.
    func firstDot(from start: Int) -> Int {
        guard start < count else { return count }
        return unsafe start
            + extracting(start..<count).withUnsafeBufferPointer { unsafe cjwt_kernels_best().pointee.find_dot($0.baseAddress, $0.count) }
    }

    /// The end of the run of bytes, from `start`, that may stand in a JSON string as they are.
    @inline(__always)
    func jsonStringEnd(from start: Int) -> Int {
        unsafe start
            + extracting(start..<count).withUnsafeBufferPointer {
                unsafe cjwt_kernels_best().pointee.json_string_span($0.baseAddress, $0.count)
            }
    }

    /// The byte at `position`; a NUL where there is none.
    @inline(__always)
    func byte(at position: Int) -> UInt8 {
        guard UInt(bitPattern: position) < UInt(bitPattern: count) else { return 0 }
        // SAFETY: within the span, by the line above.
        return unsafe self[unchecked: position]
    }

    /// Equality, byte for byte.
    @inline(__always)
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        // SAFETY: both have `count` bytes.
        return unsafe withUnsafeBufferPointer { mine in
            unsafe other.withUnsafeBufferPointer { theirs in
                unsafe cjwt_is_equal(mine.baseAddress, theirs.baseAddress, mine.count) == 1
            }
        }
    }

    /// Equality with the UTF-8 of a literal.
    @inline(__always)
    func equals(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        // SAFETY: a StaticString of more than one scalar points at utf8CodeUnitCount bytes that live as long as the program.
        return unsafe withUnsafeBufferPointer { unsafe cjwt_is_equal($0.baseAddress, literal.utf8Start, $0.count) == 1 }
    }

    /// Whether `name` is one of the names that stand here one behind the other, each up to its end.
    @inline(__always)
    func lists(_ name: Span<UInt8>, upTo ends: Span<Int>) -> Bool {
        // SAFETY: the ends rise, and none is behind this span's.
        unsafe withUnsafeBufferPointer { names in
            unsafe ends.withUnsafeBufferPointer { ends in
                unsafe name.withUnsafeBufferPointer { name in
                    unsafe cjwt_is_listed(names.baseAddress, ends.baseAddress, ends.count, name.baseAddress, name.count) == 1
                }
            }
        }
    }

    /// The hash of these bytes.
    @inline(__always)
    var hash: UInt64 { unsafe withUnsafeBufferPointer { unsafe cjwt_hash($0.baseAddress, $0.count) } }

    /// Three bytes as a number, the first highest; zero where there are not three.
    @inline(__always)
    func threeBytes(at start: Int) -> UInt32 {
        guard start >= 0, start < count - 2 else { return 0 }
        // SAFETY: within the span, by the line above.
        return unsafe UInt32(self[unchecked: start]) << 16 | UInt32(self[unchecked: start + 1]) << 8 | UInt32(self[unchecked: start + 2])
    }

    /// The number that these bytes are, at most eleven decimal digits.
    @inline(__always)
    var decimal: Int64 { unsafe withUnsafeBufferPointer { unsafe cjwt_decimal($0.baseAddress, $0.count) } }

    /// The hash of these bytes under `secret`, another for every `tweak`. For tables in memory.
    func keyedHash(_ secret: cjwt_hash_secret, tweak: UInt64) -> UInt64 {
        unsafe withUnsafeBufferPointer { unsafe cjwt_keyed_hash(secret, tweak, $0.baseAddress, $0.count) }
    }

    /// The offset of the first byte that is not well-formed UTF-8 (RFC 3629), or `count`.
    func utf8End() -> Int {
        unsafe withUnsafeBufferPointer { unsafe cjwt_utf8_span($0.baseAddress, $0.count) }
    }
}

extension MutableSpan<JSONNode> {
    /// Reads `text` onto this tape where it is usual JSON within the limits: the number of records, or zero where the tokenizer is to judge.
    mutating func read(_ text: Span<UInt8>, _ limits: JSONLimits) -> Int {
        var limits = limits.kernel
        return unsafe withKernelNodes { nodes, count in
            unsafe text.withUnsafeBufferPointer { unsafe cjwt_json_tape(nodes, count, nil, $0.baseAddress, $0.count, &limits) }
        }
    }

    /// The same, and finds the registered claims.
    package mutating func read(_ text: Span<UInt8>, _ limits: JSONLimits, finding claims: inout ClaimPlaces) -> Int {
        var limits = limits.kernel
        return unsafe withKernelNodes { nodes, count in
            unsafe text.withUnsafeBufferPointer { text in
                unsafe claims.withKernelClaims { unsafe cjwt_json_tape(nodes, count, $0, text.baseAddress, text.count, &limits) }
            }
        }
    }

    @inline(__always)
    private mutating func withKernelNodes(_ body: (UnsafeMutablePointer<cjwt_json_node>?, Int) -> Int) -> Int {
        unsafe withUnsafeMutableBufferPointer { tape in
            // SAFETY: a JSONNode is a cjwt_json_node and nothing else.
            unsafe body(UnsafeMutableRawPointer(tape.baseAddress)?.assumingMemoryBound(to: cjwt_json_node.self), tape.count)
        }
    }
}

extension JSONLimits {
    fileprivate var kernel: cjwt_json_limits {
        cjwt_json_limits(
            depth: Int64(depth), members: Int64(members), values: Int64(values), string_bytes: Int64(stringBytes),
            number_bytes: Int64(numberBytes))
    }
}

/// What `Span.hash` is, of bytes that come one after the other.
struct RunningHash {
    private var hash: UInt64 = 0
    private var word: UInt64 = 0
    private var count: UInt64 = 0

    /// The hash of the bytes so far.
    var value: UInt64 { cjwt_hash_step(cjwt_hash_step(hash, word), count) }

    mutating func add(_ byte: UInt8) {
        word |= UInt64(byte) << (8 * (count % 8))
        count += 1
        guard count % 8 == 0 else { return }
        hash = cjwt_hash_step(hash, word)
        word = 0
    }
}

/// Strict base64url without padding (RFC 7515 section 2): one text for every value.
package enum Base64URL {
    /// The bytes that `length` characters decode to.
    package static func decodedCount(_ length: Int) -> Int { length / 4 * 3 + length % 4 * 3 / 4 }

    /// Decodes `text` to the beginning of `out`, which has at least ``decodedCount(_:)`` bytes; returns how many were written.
    ///
    /// - Throws: `invalid_base64url` with the offset in `text`.
    package static func decode(_ text: Span<UInt8>, into out: inout MutableSpan<UInt8>) throws(VerificationError) -> Int {
        precondition(out.count >= decodedCount(text.count))
        var written = 0
        let isGood = unsafe out.withUnsafeMutableBufferPointer { out in
            unsafe text.withUnsafeBufferPointer { text in
                unsafe cjwt_kernels_best().pointee.base64url_decode(out.baseAddress, &written, text.baseAddress, text.count)
            }
        }
        guard isGood == 1 else { throw VerificationError(.invalidBase64URL, at: written) }
        return written
    }

    /// Decodes into a new array: for keys and other documents that are read once.
    package static func bytes(_ text: Span<UInt8>) throws(VerificationError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: decodedCount(text.count))
        var span = bytes.mutableSpan
        _ = try decode(text, into: &span)
        return bytes
    }

    /// The offset, in base64url text, of the character that holds the first bits of decoded byte `offset`.
    static func textOffset(of offset: Int) -> Int { offset / 3 * 4 + offset % 3 }
}

extension Base64URL {
    private static let alphabet: [UInt8] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The base64url text of `bytes`: for thumbprints, hashes and new tokens.
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                text.append(alphabet[Int(bits >> UInt32(pending) & 63)])
            }
        }
        if pending > 0 { text.append(alphabet[Int(bits << UInt32(6 - pending) & 63)]) }
        return text
    }
}
