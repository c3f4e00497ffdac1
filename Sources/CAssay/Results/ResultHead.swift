internal import CAssayInterface
internal import JWKSCache
internal import JWTCore

// A result in the caller's memory:
//
//   0    ResultHead
//   248  how many threads use the result at this moment
//   256  the tape of the payload        16 bytes a record
//        the tape of the header
//        the payload, decoded from base64url
//        the header
//        the unescaped strings of both, if one of their strings has escapes: as long as both
//
// An unescaped string is stored as far into the last part as its text is into payload and header. It is shorter than its text, so 0xff,
// which UTF-8 never has, ends it.

/// What a result says beside its claims.
struct ResultHead: BitwiseCopyable {
    /// Tells a result from other memory.
    let mark = Self.currentMark
    /// The bytes of the memory, with this head.
    let capacity: Int
    /// Counts verifications and resets: a value remembers under which number it was found. Begins with the time in nanoseconds, so that
    /// a result which is made again in the same memory has other numbers.
    var serial: UInt64
    /// The bytes that the last token needed.
    var needed = 0
    var offset: Int64 = -1
    var code = assay_code.noClaims
    /// The raw value of a ``RegisteredClaim``, or -1.
    var claim: Int32 = -1
    var content = Content.nothing
    var payloadRecords = 0
    var headerRecords = 0
    var payloadCount = 0
    var headerCount = 0

    enum Content: UInt8 {
        case nothing
        case refusal
        case payload
        case claims
    }

    static let currentMark: UInt64 = 0x3179_6173_7361_7261
    static let size = 256
    static let usersOffset = 248
    static let alignment = 16

    init(capacity: Int, serial: UInt64 = UInt64(truncatingIfNeeded: SystemElapsedClock().elapsedNanoseconds)) {
        self.capacity = capacity
        self.serial = serial
    }

    /// Empties the result.
    mutating func reset() { self = Self(capacity: capacity, serial: serial &+ 1) }

    var error: VerificationError? {
        guard let code = VerificationError.Code(code) else { return nil }
        let claim = UInt8(exactly: claim).flatMap(RegisteredClaim.init(rawValue:))
        return VerificationError(code, at: offset < 0 ? nil : Int(offset), claim: claim)
    }
}
