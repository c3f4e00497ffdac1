/// Byte strings in one contiguous buffer. In an array of arrays, each read would change a reference count: that would be measured, and two
/// cores would contend for the count.
struct ByteStrings: Sendable {
    private let bytes: [UInt8]
    private let ends: [Int]

    init(_ strings: some Sequence<[UInt8]>) {
        var bytes: [UInt8] = [], ends: [Int] = []
        for string in strings {
            bytes += string
            ends.append(bytes.count)
        }
        self.bytes = bytes
        self.ends = ends
    }

    /// The string with this ordinal, modulo the number of strings.
    subscript(ordinal: Int) -> Span<UInt8> {
        @_lifetime(borrow self) get {
            let place = ordinal % ends.count
            return bytes.span.extracting((place == 0 ? 0 : ends[place - 1])..<ends[place])
        }
    }
}
