import JWTCore
import JWTTestSupport
import Testing
import TokenStatus

/// Where a token's status lies in its list.
struct StatusTests {
    @Test(arguments: DraftVector.all)
    func theDraftsListsHaveTheirStatuses(vector: DraftVector) throws {
        let list = try ListIssuer.list(vector.text, bits: vector.bits, maximumBytes: VerifiedStatusList.maximumBytes)
        #expect(list.bits == vector.bits)
        #expect(list.count == vector.count)
        #expect(list.statuses == vector.statuses)
        #expect(list.status(at: vector.count) == nil)
    }

    @Test
    func theDraftsTokenIsVerified() throws {
        let verifier = StatusListVerifier(keys: TokenForge.keySet([DraftVector.jwk]))
        let list = try verifier.verify(DraftVector.token, uri: ListIssuer.uri, now: 1_700_000_000)
        #expect(list.uri == "https://example.com/statuslists/1" && list.issuer == "https://example.com")
        #expect(list.issuedAt == 1_686_920_170 && list.expiration == 2_291_720_170 && list.timeToLive == .seconds(43_200))
        #expect(list.statuses == DraftVector.oneBitExample.statuses)
    }

    @Test(arguments: [1, 2, 4, 8], 0..<20)
    func theFirstStatusOfAByteHasItsLowestBits(bits: Int, length: Int) throws {
        let bytes = noise(length, seed: UInt64(bits))
        let list = try ListIssuer.list(Deflate.text(bytes), bits: bits)
        // The lowest bit of a byte comes first, and of a status too.
        let stream = bytes.flatMap { byte in (0..<8).map { byte >> UInt8($0) & 1 } }
        #expect(list.count == 8 * length / bits)
        for index in 0..<list.count {
            let expected = (0..<bits).reduce(UInt8(0)) { $0 | stream[bits * index + $1] << UInt8($1) }
            #expect(list.status(at: index) == expected, "\(bytes) at \(index)")
        }
    }

    @Test(arguments: [1, 2, 4, 8])
    func anIndexBeyondTheListHasNoStatus(bits: Int) throws {
        let list = try ListIssuer.list(Deflate.text([0xff, 0xff]), bits: bits), count = 16 / bits
        #expect(list.status(at: 0) == UInt8(1 << bits - 1))
        #expect(list.status(at: count - 1) == UInt8(1 << bits - 1))
        for index in [count, count + 1, -1, .min, .max, .max / 8 + 1, 1 << 61, 1 << 62] { #expect(list.status(at: index) == nil) }
    }

    @Test(arguments: [1, 2, 4, 8])
    func anEmptyListHasNoStatus(bits: Int) throws {
        let list = try ListIssuer.list(Deflate.text([]), bits: bits)
        #expect(list.count == 0 && list.status(at: 0) == nil)
    }
}
