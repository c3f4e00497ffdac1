internal import Foundation
internal import Pictures
internal import Testing

@Suite("Reading PNG")
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

    @Test("Another program's picture has its pixels")
    func pixels() throws {
        let picture = try PNGReader.picture(Self.picture)
        #expect(picture.width == 24 && picture.height == 24)
        for y in 0..<24 {
            for x in 0..<24 {
                let wanted = Picture.Pixel(red: UInt8(10 * x), green: UInt8(10 * y), blue: UInt8(truncatingIfNeeded: x * y))
                #expect(picture[x, y] == wanted)
            }
        }
    }

    @Test("A change of any byte is refused")
    func corrupt() {
        for index in Self.picture.indices {
            var changed = Self.picture
            changed[index] ^= 0x11
            #expect(throws: PNGFailure.self, "byte \(index)") { try PNGReader.picture(changed) }
        }
    }

    @Test("A cut anywhere is refused")
    func truncated() {
        for length in Self.picture.indices {
            #expect(throws: PNGFailure.self, "\(length) bytes") { try PNGReader.picture(Array(Self.picture.prefix(length))) }
        }
    }
}
