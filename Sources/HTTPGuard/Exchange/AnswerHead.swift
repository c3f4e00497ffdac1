internal import JWKSCache

/// Reads the head of an answer, strictly (RFC 9112). libcurl reads it too, and tolerates what two readers could take differently: what it lets
/// through is refused here.
struct AnswerHead {
    enum Fault: Error { case malformed, tooLarge }

    /// How the body is framed (RFC 9112 section 6.3).
    enum Framing: Equatable {
        case length(Int)
        case chunks, untilClose
    }

    /// Bytes of all heads of an answer, the interim ones included, and of its trailers.
    private static let mostBytes = 81_920
    private static let mostInterim = 10

    private(set) var status = 0
    private(set) var fields: [HeaderField] = []
    private(set) var framing = Framing.untilClose
    private(set) var isComplete = false

    private var isOld = false
    private var bytes = 0
    private var interim = 0

    /// Takes the next line, with its end.
    mutating func take(_ line: some BidirectionalCollection<UInt8>) throws(Fault) {
        bytes += line.count
        guard bytes <= Self.mostBytes else { throw .tooLarge }
        guard line.suffix(2).elementsEqual([13, 10]) else { throw .malformed }
        let text = line.dropLast(2)
        guard text.allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7f }) else { throw .malformed }
        if isComplete {
            // A trailer: it has no say in an answer.
            return
        } else if status == 0 {
            try takeStatus(text)
        } else if text.isEmpty {
            try end()
        } else {
            fields.append(try Self.field(text))
        }
    }

    /// `HTTP/1.1 200 OK`, with or without its reason (RFC 9112 section 4).
    private mutating func takeStatus(_ line: some BidirectionalCollection<UInt8>) throws(Fault) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].elementsEqual("HTTP/1.1".utf8) || parts[0].elementsEqual("HTTP/1.0".utf8), parts[1].count == 3,
            let status = Self.number(parts[1]), status >= 100
        else { throw .malformed }
        isOld = parts[0].last == UInt8(ascii: "0")
        self.status = status
    }

    private mutating func end() throws(Fault) {
        guard status < 200 else {
            framing = try bodyFraming()
            isComplete = true
            return
        }
        interim += 1
        // 101 would end HTTP.
        guard status != 101, interim <= Self.mostInterim else { throw .malformed }
        status = 0
        fields = []
    }

    private func bodyFraming() throws(Fault) -> Framing {
        let codings = values("transfer-encoding"), lengths = values("content-length")
        guard codings.isEmpty else {
            // Each of the other forms has ended a request or an answer early somewhere.
            guard codings.count == 1, codings[0].lowercased() == "chunked", lengths.isEmpty, !isOld else { throw .malformed }
            return .chunks
        }
        guard let length = lengths.first else { return .untilClose }
        guard lengths.count == 1, length.utf8.count <= 15, let count = Self.number(length.utf8) else { throw .malformed }
        return .length(count)
    }

    /// The values of a field, its name in any case.
    func values(_ name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }

    private static func field(_ line: some BidirectionalCollection<UInt8>) throws(Fault) -> HeaderField {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { throw .malformed }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 9 }
        let value = line[line.index(after: colon)...].drop(while: isBlank)
        let end = value.lastIndex { !isBlank($0) }.map(value.index(after:)) ?? value.startIndex
        let name = String(decoding: line[..<colon], as: UTF8.self)
        // A blank in front of the name is a folded line, one behind it a name that others trim (RFC 9112 section 5.1).
        guard name.utf8.allSatisfy(HeaderField.isTokenByte) else { throw .malformed }
        return HeaderField(name, String(decoding: value[..<end], as: UTF8.self))
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
    }
}
