internal import CJWTKernels

// The tape: a JSON text as a row of fixed-size records in document order, each naming a range of the text.
//
//   {"aud":["a","b"],"exp":9.5}
//
//   #  kind    start  length  next  what
//   0  object  0      27      7     the whole text; count 2
//   1  string  2      3       2     name  aud
//   2  array   7      9       5     count 2
//   3  string  9      1       4     a
//   4  string  13     1       5     b
//   5  string  18     3       6     name  exp
//   6  number  23     3       7     9.5
//
// `next` is the record after the value and everything in it: go there to skip the value. A member is a name record directly followed by the
// value's. A string's range is the text between the quotes, with its escapes.

/// One record of the tape. 16 bytes.
package struct JSONNode: BitwiseCopyable, Equatable, Sendable {
    package enum Kind: UInt8 {
        case null, `true`, `false`, number, string, array, object
    }

    /// The kernel that reads usual texts writes these records.
    private var record: cjwt_json_node

    init(_ kind: Kind, start: Int, length: Int = 0, next: Int = 0, flag: Bool = false) {
        record = cjwt_json_node(
            start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length), next: UInt32(truncatingIfNeeded: next),
            description: UInt32(kind.rawValue) | (flag ? 1 << 8 : 0))
    }

    var start: UInt32 { record.start }
    var length: UInt32 {
        get { record.length }
        set { record.length = newValue }
    }
    var next: UInt32 {
        get { record.next }
        set { record.next = newValue }
    }
    /// Bits 0…7 the kind, bit 8 the flag, bits 9…31 the count of members or elements.
    private var description: UInt32 {
        get { record.description }
        set { record.description = newValue }
    }

    /// Whether the records describe the same element: for comparing two readers.
    package static func == (a: Self, b: Self) -> Bool {
        (a.start, a.length, a.next, a.description) == (b.start, b.length, b.next, b.description)
    }

    package var kind: Kind { @inline(__always) get { Kind(rawValue: UInt8(truncatingIfNeeded: description)) ?? .null } }
    /// Fills an array of records before it becomes a tape.
    package static let placeholder = JSONNode(.null, start: 0)

    /// For a string: it has escapes. For a number: it has a fraction or an exponent.
    var flag: Bool { description & (1 << 8) != 0 }
    /// Whether it is a string without escapes.
    var isPlainString: Bool { @inline(__always) get { description & 0x1ff == UInt32(Kind.string.rawValue) } }
    /// Members of an object, elements of an array.
    var count: Int {
        get { Int(description >> 9) }
        set { description = description & 0x1ff | UInt32(truncatingIfNeeded: newValue) << 9 }
    }
    var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
}
