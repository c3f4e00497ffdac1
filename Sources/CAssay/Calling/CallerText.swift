internal import CAssayInterface

/// A text in the caller's memory, valid during the call.
@safe
struct CallerText {
    private let start: UnsafePointer<UInt8>?
    let count: Int

    /// Nil for NULL with a length, and for a length that no memory has.
    @unsafe
    init?(_ start: UnsafePointer<CChar>?, _ count: Int) {
        guard count >= 0, unsafe count == 0 || start != nil else { return nil }
        // SAFETY: char and UInt8 are layout-compatible.
        unsafe self.start = start.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
        self.count = count
    }

    @unsafe
    init?(_ text: assay_text) { unsafe self.init(text.bytes, text.len) }

    var isEmpty: Bool { count == 0 }

    var bytes: Span<UInt8> {
        @_lifetime(borrow self) get {
            // SAFETY: the caller answers for `count` bytes at `start`, which stay unchanged during the call.
            let buffer = unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
            return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
        }
    }

    var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)) }

    /// Nil for what is not UTF-8.
    var string: String? { String(validating: array, as: UTF8.self) }
}
