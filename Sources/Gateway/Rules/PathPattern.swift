/// A pattern of a route's path: whole segments, of which `*` stands for any one, and `**` at the end for any rest.
struct PathPattern: Sendable {
    private let segments: [Segment]
    /// Whether more segments may follow.
    private let isOpen: Bool

    private enum Segment: Sendable {
        case any
        /// Decoded.
        case literal([UInt8])
    }

    /// Nil if `text` has no slash at its start, an asterisk in a longer segment, `**` before the end, or more than one reading.
    init?(_ text: String, _ rules: PathRules) {
        guard text.hasPrefix("/"), text.utf8.count > 1 else { return nil }
        var texts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        isOpen = texts.last == "**"
        if isOpen { texts.removeLast() }
        var segments: [Segment] = []
        for text in texts {
            if text == "*" {
                segments.append(.any)
                continue
            }
            guard !text.isEmpty, !text.contains("*"), let bytes = rules.bytes(of: "/" + text) else { return nil }
            segments.append(.literal(Array(bytes.dropFirst())))
        }
        self.segments = segments
    }

    /// The path in front of the first wildcard, below which every match lies; without a slash at its end, except for `/`.
    var root: [UInt8] {
        var root: [UInt8] = []
        for case .literal(let bytes) in segments.prefix(while: { if case .literal = $0 { true } else { false } }) {
            root += [UInt8(ascii: "/")] + bytes
        }
        return root.isEmpty ? [UInt8(ascii: "/")] : root
    }

    func matches(_ path: PathView) -> Bool {
        let slash = UInt8(ascii: "/")
        var bytes = path.decoded, next = bytes.next(in: path.raw)
        for segment in segments {
            guard next == slash else { return false }
            next = bytes.next(in: path.raw)
            switch segment {
            case .literal(let literal):
                for byte in literal {
                    guard next == byte else { return false }
                    next = bytes.next(in: path.raw)
                }
            case .any:
                guard let first = next, first != slash else { return false }
                while let byte = next, byte != slash { next = bytes.next(in: path.raw) }
            }
        }
        return next == nil || isOpen && next == slash
    }
}
