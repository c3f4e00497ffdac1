/// Byte strings one behind the other. Reading one counts no reference, as it would in an array of arrays: that would be measured, and two
/// cores would write to each other's counts.
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

    /// The string of this ordinal, counted round.
    subscript(ordinal: Int) -> Span<UInt8> {
        @_lifetime(borrow self) get {
            let place = ordinal % ends.count
            return bytes.span.extracting((place == 0 ? 0 : ends[place - 1])..<ends[place])
        }
    }
}
