/// Memory of the caller that receives a text with a final NUL.
@safe
struct CallerBuffer {
    private let start: UnsafeMutablePointer<CChar>?
    private let capacity: Int

    @unsafe
    init(_ start: UnsafeMutablePointer<CChar>?, _ capacity: Int) {
        unsafe self.start = start
        // No memory has a capacity that Int cannot hold. One byte is there in any case, for the NUL.
        self.capacity = unsafe start == nil ? 0 : capacity < 0 ? 1 : capacity
    }

    /// Writes `text` with a final NUL, or only the NUL where the text does not fit: half a header field would be another one.
    ///
    /// - Returns: the length of `text` without the NUL.
    func write(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        guard let start = unsafe start, capacity > 0 else { return bytes.count }
        let count = bytes.count < capacity ? bytes.count : 0
        // SAFETY: count + 1 is at most the capacity that the caller answers for.
        for index in 0..<count { unsafe start[index] = CChar(bitPattern: bytes[index]) }
        unsafe start[count] = 0
        return bytes.count
    }
}
