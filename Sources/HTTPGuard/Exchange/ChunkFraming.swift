/// Checks the framing of a body in chunks, strictly (RFC 9112 section 7.1), beside libcurl, which takes it off.
struct ChunkFraming {
    enum Fault: Error { case malformed, tooLarge }

    private enum State {
        case size(digits: Int, value: Int)
        case ext(value: Int)
        case lineEnd(value: Int)
        case data(left: Int)
        case dataReturn, dataEnd
        case trailer(isEmpty: Bool)
        case trailerEnd(isEmpty: Bool)
        case end
    }

    /// Bytes of chunk extensions, and of trailers.
    private static let mostExtra = 16_384

    private var state = State.size(digits: 0, value: 0)
    private var extra = 0

    var isComplete: Bool { if case .end = state { true } else { false } }

    /// Takes the next bytes. What stands behind the end is not the body's.
    mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if case .data(let left) = state {
                let taken = min(left, bytes.endIndex - index)
                state = taken == left ? .dataReturn : .data(left: left - taken)
                index += taken
            } else {
                state = try next(unsafe bytes[index])
                index += 1
            }
        }
    }

    private mutating func next(_ byte: UInt8) throws(Fault) -> State {
        switch (state, byte) {
        case (.size(let digits, let value), _): return try afterSize(digits, value, byte)
        case (.ext(let value), 13): return .lineEnd(value: value)
        case (.ext, _):
            try countExtra(byte)
            return state
        case (.lineEnd(let value), 10): return value == 0 ? .trailer(isEmpty: true) : .data(left: value)
        case (.dataReturn, 13): return .dataEnd
        case (.dataEnd, 10): return .size(digits: 0, value: 0)
        case (.trailer(let isEmpty), 13): return .trailerEnd(isEmpty: isEmpty)
        case (.trailer, _):
            try countExtra(byte)
            return .trailer(isEmpty: false)
        case (.trailerEnd(let isEmpty), 10): return isEmpty ? .end : .trailer(isEmpty: true)
        case (.end, _): return .end
        default: throw .malformed
        }
    }

    private func afterSize(_ digits: Int, _ value: Int, _ byte: UInt8) throws(Fault) -> State {
        if let digit = Self.digit(byte) {
            guard digits < 15 else { throw .tooLarge }
            return .size(digits: digits + 1, value: value << 4 | digit)
        }
        guard digits > 0 else { throw .malformed }
        switch byte {
        case 13: return .lineEnd(value: value)
        case UInt8(ascii: ";"): return .ext(value: value)
        default: throw .malformed
        }
    }

    private mutating func countExtra(_ byte: UInt8) throws(Fault) {
        guard byte == 9 || byte >= 0x20 && byte != 0x7f else { throw .malformed }
        extra += 1
        guard extra <= Self.mostExtra else { throw .tooLarge }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte) - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte) - 0x37
        default: nil
        }
    }
}
