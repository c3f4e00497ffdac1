/// A name of a parameter or cookie, and the names that the most lenient reader takes for it. PHP makes an underscore of a dot, a blank and
/// an opening bracket, cuts off the index of an array and what follows a NUL, and ignores blanks in front of a name (php.net, "Variables From
/// External Sources"). A percent sign that encodes nothing stands for itself.
struct LenientName: Hashable {
    let bytes: [UInt8]
    /// As that reader takes it.
    private let plain: [UInt8]

    init(_ name: String) {
        bytes = Array(name.utf8)
        let text = bytes
        var reader = Reader(text.span, text.indices), plain: [UInt8] = []
        while let byte = reader.next(in: text.span) { plain.append(byte) }
        self.plain = plain
    }

    /// Whether the name of a cookie may be taken for this one.
    func isTaken(from text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var reader = Reader(text, range)
        for byte in plain where reader.next(in: text) != byte { return false }
        return reader.next(in: text) == nil
    }

    /// The same for the name of a parameter, which is encoded; some readers ignore case too.
    func isTaken(fromForm text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var reader = Reader(text, range, isForm: true)
        for byte in plain where reader.next(in: text)?.lowercased != byte.lowercased { return false }
        return reader.next(in: text) == nil
    }

    private struct Reader {
        private var name: FormText
        private var ahead: UInt8?
        private let isArray: Bool

        init(_ text: Span<UInt8>, _ range: Range<Int>, isForm: Bool = false) {
            var whole = FormText(range, isForm: isForm, isLenient: true), isArray = false
            while let byte = whole.next(in: text) { isArray = isArray || byte == UInt8(ascii: "]") }
            self.isArray = isArray
            name = FormText(range, isForm: isForm, isLenient: true)
            repeat { ahead = name.next(in: text) } while ahead == 0x20
        }

        mutating func next(in text: Span<UInt8>) -> UInt8? {
            guard let byte = ahead, byte != 0, !isArray || byte != UInt8(ascii: "[") else {
                ahead = nil
                return nil
            }
            ahead = name.next(in: text)
            return byte == UInt8(ascii: ".") || byte == 0x20 || byte == UInt8(ascii: "[") ? UInt8(ascii: "_") : byte
        }
    }
}

/// The bytes of a text in a form (the WHATWG URL standard's `application/x-www-form-urlencoded`), or of a plain one.
struct FormText {
    private var place: Int
    private let end: Int
    private let isForm: Bool
    private let isLenient: Bool
    /// Whether a percent sign encoded nothing. Then the text has ended.
    private(set) var isBroken = false

    /// - Parameter isLenient: whether a percent sign that encodes nothing stands for itself.
    init(_ range: Range<Int>, isForm: Bool = true, isLenient: Bool = false) {
        place = range.lowerBound
        end = range.upperBound
        self.isForm = isForm
        self.isLenient = isLenient
    }

    mutating func next(in text: Span<UInt8>) -> UInt8? {
        guard place < end, !isBroken else { return nil }
        defer { place += 1 }
        switch text[place] {
        case UInt8(ascii: "%") where isForm:
            guard let byte = text.percentDecoded(at: place, before: end) else {
                if isLenient { return UInt8(ascii: "%") }
                isBroken = true
                return nil
            }
            place += 2
            return byte
        case UInt8(ascii: "+") where isForm: return 0x20
        default: return text[place]
        }
    }
}
