import ReplayMemory
import Testing

struct ReplayIdentifierTests {
    @Test func isTheDigestOfLengthPrefixedParts() {
        // SHA-256 of 0000000000000001 "t" 0000000000000002 "ab", by another program.
        let digest = "fb410cf4a51feb80885d8f15ee8e98b816249de5c84f2ee6d0a1a66dd47cfa39"
        let bytes = ReplayIdentifier("t", [Array("ab".utf8)]).bytes
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }

    @Test(arguments: [
        ("token", ["a", "bc"], "token", ["ab", "c"]), ("token", ["ab"], "token", ["a", "b"]), ("token", [], "token", [""]),
        ("token", ["a"], "dpop", ["a"]), ("tokena", [], "token", ["a"]), ("token", ["é"], "token", ["e\u{301}"]),
    ])
    func differsWhereAPartDiffers(_ domain: String, _ parts: [String], _ otherDomain: String, _ others: [String]) {
        #expect(Self.identifier(domain, parts) != Self.identifier(otherDomain, others))
        #expect(Self.identifier(domain, parts) == Self.identifier(domain, parts))
    }

    private static func identifier(_ domain: String, _ parts: [String]) -> ReplayIdentifier {
        let parts = parts.map { Array($0.utf8) }
        return switch domain {
        case "token": ReplayIdentifier("token", parts)
        case "tokena": ReplayIdentifier("tokena", parts)
        default: ReplayIdentifier("dpop", parts)
        }
    }
}
