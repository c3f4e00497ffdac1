import AssayTesting
import JWTCore
import JWTDecryption
import Testing

/// Tokens that were changed at random places: each is refused with a code of this stage, and none opens.
struct RandomTokenTests {
    /// The codes that a changed token may have.
    private static let codes: Set<String> = Set(
        VerificationError.Code.all.filter { $0.number < 300 || $0.number >= 740 }.map(\.name) + ["key_algorithm_mismatch"])

    @Test(arguments: [Nested.Kind(.direct), Nested.Kind(.ecdhESA128KW, .x25519), Nested.Kind(.ecdhES)])
    func aChangedTokenIsRefused(_ kind: Nested.Kind) throws {
        let recipient = try Nested.recipient(kind, .a128CBCHS256), verifier = try Nested.verifier([recipient.decryptionKey])
        let token = Array(try recipient.encrypted(Nested.token()).utf8)
        var random = Generator(state: 20_261_130)
        for _ in 0..<2_000 {
            var changed = token
            for _ in 0...random.next(below: 3) {
                let place = random.next(below: changed.count)
                switch random.next(below: 4) {
                case 0: changed[place] = UInt8(truncatingIfNeeded: random.next(below: 256))
                case 1: changed.remove(at: place)
                case 2: changed.insert(UInt8(ascii: "."), at: place)
                default: changed[place] = token[random.next(below: token.count)]
                }
            }
            guard changed != token else { continue }
            let verdict = Nested.verdict(String(decoding: changed, as: UTF8.self), verifier)
            #expect(Self.codes.contains(verdict), "\(verdict)")
        }
    }

    /// A linear congruential generator (Knuth's MMIX), so that each run is the same.
    private struct Generator {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }
}
