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

extension String {
    /// The texts around each `mark`. `split` with a separator of several characters comes with regular expressions too.
    package func parts(around mark: String) -> [Substring] {
        var parts: [Substring] = [], rest = self[...]
        while !mark.isEmpty, let place = rest.utf8.place(of: mark.utf8) {
            parts.append(rest[..<place])
            rest = rest[rest.utf8.index(place, offsetBy: mark.utf8.count)...]
        }
        return parts + [rest]
    }
}
