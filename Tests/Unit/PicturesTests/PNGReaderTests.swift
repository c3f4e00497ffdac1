internal import Foundation
internal import Pictures
internal import Testing

struct PNGReaderTests {
    /// 24 by 24 pixels of (10x, 10y, xy), by zlib at level 9: dynamic codes, matches, two IDAT chunks, a text and all five filters.
    private static let picture =
        Data(
            base64Encoded: """
                iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAC3RFWHRDb21tZW50AGFueR847WgAAABkSURBVHjardSvc9RAGMbx53q31/a99n60\
                aQuCGExEa16DIAJMBDURIIipeQU1MZgI1BlMBCBeHUHN6QjUGcwrUNExmNP9DyDdms5UQHuX+Yid2ZnN7jeTBQACAiAEIoCBGEiAFMgAAXLZJsMW\
                AAABpklEQVSgAOZACShQAQugBpaAAQ3QAiug1y1D6K1v62Y/1C3XDfqgAciBhqBt0A5oF9S9ZwTaA+2DxqAJaAqagQ5Ah6AAdAQ6Bp30u1M5t+Vc\
                3xt4t8/Q2/Z2vF2PvJG35+13Bjc76g6ILaAPDNbAIHYBU8iTiAPmpzGHCT9POcr4TJhzflFwPOfXJSfK5xWnC35Xc7bkC2Np+LLlfMUfe91HIgzX\
                t8HYZ3hcXefG3sSb3o/tgCGwDewAuw8hIKFAglDCSCIWjiVOJEklzSQTkVzyQoq5zEspVbSSaiGLWuqlLE2skaaVdiWrXvcLEEbr22DsBI+r682c\
                ++rcQeefsbvpEbAH7APje4I7YwXpJNAw1LNIY9bzWLNEL1MtMv0sqrleFVrP9WepjervSq8X+qfW8VKfmZ42+rLVNyt93+suGMJ0fRuMfYEH1p3d\
                1nXu0Au8o4fGPgSmwAw48OO7DGRBYFFocWQpm8RWJFamVmVWi1lubWHXcxuU9kTttLJXC3tb24elfTL70tj31n6s7Fevu74JR+vbYOwC/1H32/26\
                3rF30vkL65yvQoO2sw0AAAAASUVORK5CYII=
                """
        ).map(Array.init) ?? []

    @Test
    func anotherProgramsPictureHasItsPixels() throws {
        let picture = try PNGReader.picture(Self.picture)
        #expect(picture.width == 24 && picture.height == 24)
        for y in 0..<24 {
            for x in 0..<24 {
                let wanted = Picture.Pixel(red: UInt8(10 * x), green: UInt8(10 * y), blue: UInt8(truncatingIfNeeded: x * y))
                #expect(picture[x, y] == wanted)
            }
        }
    }

    @Test
    func aChangeOfAnyByteIsRefused() {
        for index in Self.picture.indices {
            var changed = Self.picture
            changed[index] ^= 0x11
            #expect(throws: PNGFailure.self, "byte \(index)") { try PNGReader.picture(changed) }
        }
    }

    @Test
    func aCutAnywhereIsRefused() {
        for length in Self.picture.indices {
            #expect(throws: PNGFailure.self, "\(length) bytes") { try PNGReader.picture(Array(Self.picture.prefix(length))) }
        }
    }

    @Test func writtenPicturesReadBack() throws {
        let pixels = (0..<4 * 30 * 20).map { (index: Int) in UInt8(truncatingIfNeeded: index * index / 7) }
        let read = try PNGReader.picture(PNGWriter.png(Picture(width: 30, height: 20, pixels: pixels)))
        #expect(read.width == 30 && read.height == 20 && read.pixels == pixels)

        let table = (0..<3 * 256).map { (index: Int) in UInt8(truncatingIfNeeded: index * 5) }
        let indices = (0..<30 * 20).map { (index: Int) in UInt8(truncatingIfNeeded: index) }
        let coloured = try PNGReader.picture(PNGWriter.png(width: 30, height: 20, indices: indices, table: table))
        var wanted: [UInt8] = []
        for index in indices.map(Int.init) {
            wanted += table[3 * index..<3 * index + 3]
            wanted.append(255)
        }
        #expect(coloured.pixels == wanted)
    }

    @Test(
        arguments: [(1_024, 1_024, nil), (1_025, 1_024, .size), (900_000, 900_000, .size), (1 << 30, 1 << 30, .badData), (0, 5, .badData)]
            as [(UInt32, UInt32, PNGFailure?)])
    func dimensionsAreBoundedBeforeDecoding(width: UInt32, height: UInt32, failure: PNGFailure?) throws {
        var png = try PNGWriter.png(Picture(width: 1, height: 1, pixels: [1, 2, 3, 4]))
        let header = [Self.big(width), Self.big(height), Array(png[24..<29])].flatMap(\.self)
        png.replaceSubrange(16..<33, with: header + Self.big(Self.checksum(Array("IHDR".utf8) + header)))
        // What passes is refused later, as the data is one pixel's.
        #expect(throws: failure ?? .badData) { try PNGReader.picture(png) }
    }

    @Test func longFilesAreRefused() throws {
        let png = try PNGWriter.png(Picture(width: 1, height: 1, pixels: [1, 2, 3, 4]))
        let text = [Self.big(1 << 22), Array("tEXt".utf8), [UInt8](repeating: 65, count: 1 << 22), Self.big(0)].flatMap(\.self)
        let long = Array(png.dropLast(12)) + text + Array(png.suffix(12))
        #expect(throws: PNGFailure.size) { try PNGReader.picture(long) }
    }

    private static func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

    /// CRC-32 (ISO/IEC 15948 annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
