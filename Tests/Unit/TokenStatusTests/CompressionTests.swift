import JWTCore
import JWTTestSupport
import Testing
import TokenStatus

/// The zlib stream of a list: what it may hold, and where its decompression ends.
struct CompressionTests {
    private static func verdict(_ stream: [UInt8], maximumBytes: Int = 1 << 24) -> String {
        outcome { try ListIssuer.list(base64url(stream), maximumBytes: maximumBytes) }
    }

    private static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) } }

    @Test(arguments: [0, 1, 2, 100, 16_383, 16_384, 16_385, 32_768, 100_000], [0, 1, 9] as [Int32])
    func everyLengthAndLevelIsReadBack(count: Int, level: Int32) throws {
        let bytes = Self.pattern(count)
        let list = try ListIssuer.list(Deflate.text(bytes, level: level), bits: 8)
        #expect(list.count == count)
        #expect((0..<count).allSatisfy { list.status(at: $0) == bytes[$0] })
    }

    @Test(arguments: [(0, 0), (1, 1), (16_384, 16_384), (100_000, 100_000)])
    func aListMayHaveItsLimitAndNotAByteMore(count: Int, limit: Int) {
        let stream = Deflate.stream(Self.pattern(count)), longer = Deflate.stream(Self.pattern(count + 1))
        #expect(Self.verdict(stream, maximumBytes: limit) == "valid")
        #expect(Self.verdict(longer, maximumBytes: limit) == "list_too_large")
    }

    @Test(arguments: [Int.min, -1, 0])
    func aLimitWithoutRoomAllowsTheEmptyList(limit: Int) {
        #expect(Self.verdict(Deflate.stream([]), maximumBytes: limit) == "valid")
        #expect(Self.verdict(Deflate.stream([0]), maximumBytes: limit) == "list_too_large")
    }

    @Test
    func theLargestLimitIsALimit() {
        #expect(Self.verdict(Deflate.stream(Self.pattern(100)), maximumBytes: .max) == "valid")
    }

    /// 64 MiB of zeros in 64 KiB. That half of the stream is enough for the refusal shows that the rest is not read.
    @Test
    func aBombEndsAtTheLimit() throws {
        let bomb = Deflate.stream([UInt8](repeating: 0, count: 1 << 26))
        #expect(bomb.count < 1 << 17)
        let token = ListIssuer.claims(base64url(bomb)), half = ListIssuer.claims(base64url(bomb.prefix(bomb.count / 2)))
        let verifier = StatusListVerifier(keys: ListIssuer.forge.keySet)
        for claims in [token, half] {
            let verdict = outcome { try verifier.verify(ListIssuer.token(claims), uri: ListIssuer.uri, now: TokenForge.now) }
            #expect(verdict == "list_too_large")
        }
    }

    @Test(arguments: [0, 9] as [Int32])
    func aStreamThatEndsEarlyIsRefused(level: Int32) {
        let stream = Deflate.stream(Self.pattern(300), level: level)
        for length in 0..<stream.count { #expect(Self.verdict(Array(stream.prefix(length))) == "truncated_list", "\(length) bytes") }
        #expect(Self.verdict(stream) == "valid")
    }

    @Test
    func bytesAfterTheStreamAreRefused() {
        let stream = Deflate.stream(Self.pattern(300))
        for rest in [[0], [0xff], [0x0a], stream, Array(repeating: 0, count: 100_000)] as [[UInt8]] {
            #expect(Self.verdict(stream + rest) == "trailing_bytes")
        }
    }

    @Test
    func aWrongChecksumIsRefused() {
        let stream = Deflate.stream(Self.pattern(300))
        for place in stream.count - 4..<stream.count {
            for bit in 0..<8 {
                var changed = stream
                changed[place] ^= 1 << UInt8(bit)
                #expect(Self.verdict(changed) == "invalid_compression")
            }
        }
    }

    @Test
    func aChangeOfAnyByteIsRefused() {
        let stream = Deflate.stream(Self.pattern(300))
        for place in stream.indices {
            var changed = stream
            changed[place] ^= 0x11
            #expect(Self.verdict(changed) != "valid", "byte \(place)")
        }
    }

    /// The byte 0x00 in formats that the draft does not use: DEFLATE alone (RFC 1951), gzip (RFC 1952), zlib with a preset dictionary, with
    /// another method, with a window beyond 32 KiB, and with a wrong check of its header.
    @Test(
        arguments: [
            [0x63, 0x00, 0x00], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0x63, 0, 0, 0x8d, 0xef, 2, 0xd2, 1, 0, 0, 0],
            [0x78, 0xf9, 0, 0, 0, 1, 0x63, 0, 0, 0, 1, 0, 1], [0x79, 0x17, 0x63, 0, 0, 0, 1, 0, 1], [0x88, 0x1c, 0x63, 0, 0, 0, 1, 0, 1],
            [0x78, 0xdb, 0x63, 0, 0, 0, 1, 0, 1],
        ] as [[UInt8]])
    func otherFormatsAreRefused(stream: [UInt8]) {
        #expect(Self.verdict(stream) == "invalid_compression")
        #expect(Self.verdict([0x78, 0xda, 0x63, 0, 0, 0, 1, 0, 1]) == "valid")
    }
}
