/// A path into a document (RFC 6901).
package struct JSONPointer {
    /// The reference tokens, unescaped.
    package let steps: [String]

    /// Nil for a text that is neither empty nor begins with a slash, and for a tilde without 0 or 1.
    package init?(_ text: String) {
        guard !text.isEmpty else {
            steps = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var steps: [String] = []
        // By bytes: a slash followed by a combining accent is one character.
        for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let step = Self.unescaped(part) else { return nil }
            steps.append(step)
        }
        self.steps = steps
    }

    /// The value at the end of the path.
    @_lifetime(copy document)
    package func value(in document: borrowing JSONValue) -> JSONValue? {
        var index = document.index
        for step in steps {
            let value = JSONValue(text: document.text, tape: document.tape, index: index)
            guard let next = value.isArray ? Self.position(step).flatMap({ value[$0]?.index }) : value[step]?.index else { return nil }
            index = next
        }
        return JSONValue(text: document.text, tape: document.tape, index: index)
    }

    /// The position in an array that a token means: digits without a leading zero (section 4). Nil for another token.
    package static func position(_ step: String) -> Int? {
        guard step == "0" || step.utf8.first != UInt8(ascii: "0"), step.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(step)
    }

    private static func unescaped(_ part: Substring.UTF8View.SubSequence) -> String? {
        var bytes: [UInt8] = []
        var isEscape = false
        for byte in part {
            if isEscape {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                bytes.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
            } else if byte != UInt8(ascii: "~") {
                bytes.append(byte)
            }
            isEscape = !isEscape && byte == UInt8(ascii: "~")
        }
        return isEscape ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
