#if IDaaS
/// A chunk of a PNG (ISO/IEC 15948), for an attacker that looks at more than pixels.
package struct PNGChunk: Sendable {
    package let type: String
    package let data: [UInt8]

    /// The chunks of a well-formed file. Consecutive data chunks are merged: their number depends only on their length.
    package static func all(in png: [UInt8]) -> [PNGChunk] {
        var chunks: [PNGChunk] = []
        var start = 8
        while start + 12 <= png.count {
            let end = start + 8 + png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let chunk = PNGChunk(type: String(decoding: png[start + 4..<start + 8], as: UTF8.self), data: Array(png[start + 8..<end]))
            if let last = chunks.last, last.type == "IDAT", chunk.type == "IDAT" {
                chunks[chunks.count - 1] = PNGChunk(type: "IDAT", data: last.data + chunk.data)
            } else {
                chunks.append(chunk)
            }
            start = end + 4
        }
        return chunks
    }
}
#endif
