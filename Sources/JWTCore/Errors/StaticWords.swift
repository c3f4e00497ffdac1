/// A sentence that was written in a program. An error that carries one allocates nothing, and the sentence cannot contain a byte of a token
/// or a key.
@safe
struct StaticWords: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: a literal stays where it is, and ends with NUL.
    private let start: UnsafePointer<UInt8>

    /// Nil for a literal of one scalar, which has no address.
    init?(_ words: StaticString) {
        guard words.hasPointerRepresentation else { return nil }
        unsafe start = words.utf8Start
    }

    var text: String { unsafe String(cString: start) }
}
