internal import CJWTKernels

// Only this file passes memory from Swift to the byte kernels. Each call passes a buffer with its own count; the kernels read and write
// nothing outside it (the contract of CJWTKernels.h, tested with guard pages).

extension Span<UInt8> {
    /// The offsets of the first and the second '.', if there are exactly two.
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

    /// The offset of the first '.' at or after `start`, or `count`. `start` may be past the end.
    func firstDot(from start: Int) -> Int {
        guard start < count else { return count }
        return unsafe start
            + extracting(start..<count).withUnsafeBufferPointer { unsafe cjwt_kernels_best().pointee.find_dot($0.baseAddress, $0.count) }
    }

    /// The end of the run of bytes, from `start`, that need no escape in a JSON string.
    @inline(__always)
    func jsonStringEnd(from start: Int) -> Int {
        unsafe start
            + extracting(start..<count).withUnsafeBufferPointer {
                unsafe cjwt_kernels_best().pointee.json_string_span($0.baseAddress, $0.count)
            }
    }

    /// The byte at `position`, or NUL past the end.
    @inline(__always)
    func byte(at position: Int) -> UInt8 {
        guard UInt(bitPattern: position) < UInt(bitPattern: count) else { return 0 }
        // SAFETY: the line above checks that the position is within the span.
        return unsafe self[unchecked: position]
    }

    /// The offset of the first byte of this value in `range`; nil if there is none.
    package func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        let count = range.count
        let offset = unsafe extracting(range).withUnsafeBufferPointer { unsafe cjwt_find($0.baseAddress, $0.count, byte) }
        return offset < count ? range.lowerBound + offset : nil
    }

    /// Equality, byte for byte.
    @inline(__always)
    package func equals(_ other: Span<UInt8>) -> Bool {
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
    package func equals(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        // SAFETY: a StaticString of more than one scalar points at utf8CodeUnitCount bytes that stay valid for the life of the program.
        return unsafe withUnsafeBufferPointer { unsafe cjwt_is_equal($0.baseAddress, literal.utf8Start, $0.count) == 1 }
    }

    /// Whether `name` is one of the names concatenated here; `ends` holds the end of each.
    @inline(__always)
    func lists(_ name: Span<UInt8>, upTo ends: Span<Int>) -> Bool {
        // SAFETY: the ends ascend, and none is past this span's end.
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

    /// Three bytes as a big-endian number; zero if fewer than three remain.
    @inline(__always)
    func threeBytes(at start: Int) -> UInt32 {
        guard start >= 0, start < count - 2 else { return 0 }
        // SAFETY: the line above checks that the bytes are within the span.
        return unsafe UInt32(self[unchecked: start]) << 16 | UInt32(self[unchecked: start + 1]) << 8 | UInt32(self[unchecked: start + 2])
    }

    /// Eight bytes as a big-endian number; zero if fewer than eight remain.
    @inline(__always)
    func eightBytes(at start: Int) -> UInt64 {
        guard start >= 0, start <= count - 8 else { return 0 }
        // SAFETY: the line above checks that the bytes are within the span.
        return unsafe withUnsafeBytes { unsafe UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
    }

    /// These bytes as a number: at most eleven decimal digits.
    @inline(__always)
    var decimal: Int64 { unsafe withUnsafeBufferPointer { unsafe cjwt_decimal($0.baseAddress, $0.count) } }

    /// The hash of these bytes under `secret`, different for each `tweak`. Only for tables in memory.
    func keyedHash(_ secret: cjwt_hash_secret, tweak: UInt64) -> UInt64 {
        unsafe withUnsafeBufferPointer { unsafe cjwt_keyed_hash(secret, tweak, $0.baseAddress, $0.count) }
    }

    /// Searches for the value of the first member `iss` of this JSON object. Nothing has checked the value's characters.
    var issuerPlace: IssuerPlace {
        var issuer = cjwt_issuer()
        let outcome = unsafe withUnsafeBufferPointer { unsafe cjwt_json_issuer(&issuer, $0.baseAddress, $0.count) }
        switch Int(outcome) {
        case CJWT_ISSUER_FOUND: return .found(issuer.start..<issuer.start + issuer.length, isEscaped: issuer.is_escaped == 1)
        case CJWT_ISSUER_OTHER: return .otherType
        case CJWT_ISSUER_HIDDEN: return .hidden
        default: return .missing
        }
    }

    /// The offset of the first byte that is not well-formed UTF-8 (RFC 3629), or `count`.
    func utf8End() -> Int {
        unsafe withUnsafeBufferPointer { unsafe cjwt_utf8_span($0.baseAddress, $0.count) }
    }
}
