import Gateway
import Testing

struct NameFilterTests {
    private static let names = ["x-auth-subject", "x-token", "connection", "x-http-method-override", "a", "-b-"].map { Array($0.utf8) }
    private let filter = NameFilter(of: names)

    /// Every byte but letters and digits is a hyphen for some server, and letters have no case.
    @Test func noSpellingOfANameIsRuledOut() {
        var random = SystemRandomNumberGenerator()
        let letters = Set("abcdefghijklmnopqrstuvwxyz".utf8), others = letters.union("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        let hyphens = (0...255).map { UInt8($0) }.filter { !others.contains($0) }
        for name in Self.names {
            for _ in 0..<2_000 {
                let spelling = name.map { byte in
                    if byte == UInt8(ascii: "-") { return hyphens.randomElement(using: &random) ?? byte }
                    return letters.contains(byte) && Bool.random(using: &random) ? byte & ~0x20 : byte
                }
                let mayContain = filter.mayContain(spelling.span)
                #expect(mayContain, "\(spelling)")
            }
        }
    }

    @Test(arguments: ["", "host", "user-agent", "accept", "accept-encoding", "authorization", "cookie", "content-type", "x-forwarded-for"])
    func whatRequestsOftenHaveIsRuledOut(name: String) {
        let bytes = Array(name.utf8), mayContain = filter.mayContain(bytes.span)
        #expect(!mayContain)
    }
}
