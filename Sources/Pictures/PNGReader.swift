/// What is wrong with a PNG.
public enum PNGFailure: Error, Hashable {
    case notPNG
    case truncated
    /// A chunk's checksum does not fit its bytes.
    case corrupt
    /// More than ``PNGReader/maximumPixels``, or none.
    case size
    /// Interlaced, or of another depth than 8.
    case unsupported
    case badData
}

/// Reads PNG pictures (ISO/IEC 15948) of eight bits a channel, as captchas are.
public struct PNGReader {
    /// What a picture may take in memory, before anything of it is believed.
    public static let maximumPixels = 1 << 20

    /// A chunk's type and data.
    public struct Chunk: Sendable {
        public let type: String
        public let data: ArraySlice<UInt8>
    }

    /// The chunks of `bytes`, each with its checksum verified, up to and with IEND.
    public static func chunks(_ bytes: [UInt8]) throws(PNGFailure) -> [Chunk] {
        guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { throw .notPNG }
        var chunks: [Chunk] = []
        var start = 8
        while chunks.last?.type != "IEND" {
            guard start + 12 <= bytes.count else { throw .truncated }
            let length = Int(number(bytes[start...]))
            guard length <= bytes.count - start - 12 else { throw .truncated }
            let named = bytes[start + 4..<start + 8 + length]
            guard checksum(named) == number(bytes[(start + 8 + length)...]) else { throw .corrupt }
            chunks.append(Chunk(type: String(decoding: named.prefix(4), as: UTF8.self), data: named.dropFirst(4)))
            start += 12 + length
        }
        return chunks
    }

    /// The picture in `bytes`.
    public static func picture(_ bytes: [UInt8]) throws(PNGFailure) -> Picture {
        let chunks = try chunks(bytes)
        guard let header = chunks.first, header.type == "IHDR", header.data.count == 13 else { throw .badData }
        let format = try PNGFormat(Array(header.data))
        let compressed = chunks.filter { $0.type == "IDAT" }.flatMap(\.data)
        guard let raw = Inflate.zlib(compressed, limit: format.rawSize), raw.count == format.rawSize else { throw .badData }
        let table = chunks.first { $0.type == "PLTE" }.map { Array($0.data) } ?? []
        let opacities = chunks.first { $0.type == "tRNS" }.map { Array($0.data) } ?? []
        return try format.picture(raw, table: table, opacities: opacities)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    /// CRC-32 (ISO/IEC 15948 annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
    }
}
