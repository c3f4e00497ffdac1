extension Collection<UInt8> {
    /// Where `bytes` stands for the first time; nil if it does not. Swift's own search comes with the engine of its regular expressions, a
    /// megabyte.
    package func place(of bytes: some Collection<UInt8>) -> Index? {
        var start = startIndex
        while start != endIndex {
            if self[start...].starts(with: bytes) { return start }
            formIndex(after: &start)
        }
        return bytes.isEmpty ? start : nil
    }

    /// Whether `text` stands anywhere in these bytes.
    package func holds(_ text: String) -> Bool { place(of: text.utf8) != nil }
}
