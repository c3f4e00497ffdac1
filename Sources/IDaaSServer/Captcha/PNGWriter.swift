#if IDaaS
/// Writes a PNG (ISO/IEC 15948): the chunks that a picture needs and no other, so that nothing but the pixels can tell anything.
struct PNGWriter {
    enum Colours {
        /// A byte a pixel, into a table of three bytes a colour.
        case table([UInt8])
        /// Red, green, blue and opacity.
        case trueWithAlpha
    }

    private let header: [UInt8]
    private let table: [UInt8]?
    private let size: Int
    private var lines: [UInt8] = []

    init(width: Int, height: Int, colours: Colours) {
        var type: UInt8 = 6
        table =
            if case .table(let table) = colours { table } else { nil }
        if table != nil { type = 3 }
        // Depth 8, deflate, filters by line, not interlaced.
        header = Self.big(UInt32(width)) + Self.big(UInt32(height)) + [8, type, 0, 0, 0]
        size = (width * (type == 6 ? 4 : 1) + 1) * height
        lines.reserveCapacity(size)
    }

    /// The next line from the top, unfiltered.
    mutating func append(_ line: [UInt8]) {
        lines.append(0)
        lines += line
    }

    func finished() -> [UInt8] {
        var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        png.reserveCapacity(size + size / 8 + 1_024)
        Self.append("IHDR", header, to: &png)
        if let table { Self.append("PLTE", table, to: &png) }
        // A zlib stream (RFC 1950): deflate, a window of 32 KiB, no dictionary.
        Self.append("IDAT", [0x78, 0x01] + Deflate.compressed(lines) + Self.big(Self.adler(lines)), to: &png)
        Self.append("IEND", [], to: &png)
        return png
    }

    private static func append(_ type: StaticString, _ data: [UInt8], to png: inout [UInt8]) {
        let named = "\(type)".utf8 + data
        png += big(UInt32(data.count)) + named + big(checksum(named))
    }

    private static func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }

    /// CRC-32 (ISO/IEC 15948 annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let remainders = remainders
        return ~bytes.reduce(~0) { crc, byte in crc >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
    }

    /// Adler-32 (RFC 1950 section 8.2). Sums of 5,552 bytes stay below 2^32.
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for start in stride(from: 0, to: bytes.count, by: 5_552) {
            for byte in bytes[start..<min(start + 5_552, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            (low, high) = (low % 65_521, high % 65_521)
        }
        return high << 16 | low
    }
}
#endif
