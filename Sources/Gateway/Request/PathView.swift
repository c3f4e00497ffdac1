internal import JWTCore

/// A path that has exactly one reading, in the host's memory.
///
/// A gateway, this policy and the upstream must not read a path differently: then `/public/..;/admin` is public here and the
/// administration there. So a path with dot segments, encoded separators, empty segments, parameters, controls, segments that end with a
/// space (some servers trim them), double encoding or text that is not UTF-8 has no reading. Case matters.
struct PathView: ~Escapable {
    let raw: Span<UInt8>
    /// Whether it has percent-encodings. Without, the client's bytes are the reading.
    private let isEncoded: Bool

    /// Nil if the path has more than one reading.
    @_lifetime(copy raw)
    init?(_ raw: Span<UInt8>, _ rules: PathRules) {
        guard raw.count > 0, raw[0] == UInt8(ascii: "/"), PathReading.isUnique(raw, rules) else { return nil }
        self.raw = raw
        isEncoded = raw.first(UInt8(ascii: "%"), in: raw.indices) != nil
    }

    /// Whether a path that no route looks at has an acceptable form: a gateway may write it to a log or a header.
    static func isWellFormed(_ raw: Span<UInt8>) -> Bool {
        guard raw.count > 0, raw[0] == UInt8(ascii: "/") else { return false }
        for place in raw.indices where raw[place] <= 0x20 || raw[place] >= 0x7f || raw[place] == UInt8(ascii: "#") { return false }
        return true
    }

    /// Whether this is `path`, which is decoded.
    func equals(_ path: [UInt8]) -> Bool {
        guard isEncoded else { return raw.equals(path) }
        var bytes = DecodedPath(raw.count)
        for byte in path where bytes.next(in: raw) != byte { return false }
        return bytes.next(in: raw) == nil
    }

    /// Whether this is `path`, or below it.
    func begins(with path: [UInt8]) -> Bool {
        var bytes = DecodedPath(raw.count), last: UInt8?
        for byte in path {
            guard bytes.next(in: raw) == byte else { return false }
            last = byte
        }
        guard let next = bytes.next(in: raw) else { return true }
        return last == UInt8(ascii: "/") || next == UInt8(ascii: "/")
    }

    /// The decoded bytes of ``raw``, one after the other.
    var decoded: DecodedPath { DecodedPath(raw.count) }

    /// All of them.
    var bytes: [UInt8] {
        var decoded = decoded, bytes: [UInt8] = []
        while let byte = decoded.next(in: raw) { bytes.append(byte) }
        return bytes
    }
}

/// The bytes of a path after percent-decoding, one after the other. An encoded slash stays `%2F`: it is data of a segment, and separates
/// nothing. A path that has one reading can have that text in no other way.
struct DecodedPath {
    private var place = 0
    private let end: Int
    /// What remains of an encoded slash.
    private var slash = 0
    /// Whether the byte of the last call was a percent sign that was itself encoded.
    private(set) var isEncodedPercent = false
    /// Whether the bytes of the last call are those of an encoded slash.
    private(set) var isEncodedSlash = false

    init(_ count: Int) { end = count }

    mutating func next(in raw: Span<UInt8>) -> UInt8? {
        isEncodedPercent = false
        guard slash == 0 else {
            slash -= 1
            return slash == 1 ? UInt8(ascii: "2") : UInt8(ascii: "F")
        }
        isEncodedSlash = false
        guard place < end else { return nil }
        guard let byte = raw.percentDecoded(at: place, before: end) else {
            place += 1
            return raw[place - 1]
        }
        place += 3
        isEncodedPercent = byte == UInt8(ascii: "%")
        guard byte == UInt8(ascii: "/") else { return byte }
        (slash, isEncodedSlash) = (2, true)
        return UInt8(ascii: "%")
    }
}
