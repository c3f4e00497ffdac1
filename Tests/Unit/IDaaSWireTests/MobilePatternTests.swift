import IDaaSWire
import Testing

@Suite struct MobilePatternTests {
    static let china = #"^(\+86){0,1}\-?1\d{10}$"#
    static let hongKong = #"^(\+852){1}\-?0{0,1}[1,4,5,6,7,8,9](?:\d{7}|\d{8}|\d{12})$"#
    static let afghanistan = #"^(\+93){1}\-\d{6,11}"#

    static let verdicts: [(String, String, Bool)] = [
        (china, "+86-13800000000", true), (china, "+8613800000000", true), (china, "13800000000", true), (china, "-13800000000", true),
        (china, "8613800000000", false), (china, "23800000000", false), (china, "138000000000", false), (china, "", false),
        (hongKong, "+852-51234567", true), (hongKong, "+852051234567", true), (hongKong, "51234567", false),
        (hongKong, "+852-,1234567", true),
        (hongKong, "+852-21234567", false),
        (afghanistan, "+93-701234567", true), (afghanistan, "+93-701234567; DROP", false), (afghanistan, "+93-70123456789012345678", false),
        ("a|bc|", "bc", true), ("a|bc|", "", true), ("a|bc|", "ab", false), ("(a|b)*c?", "abba", true), ("[^0-9]+", "x-y", true),
        ("[^0-9]+", "x1y", false), (#"[\d\-]{3,}"#, "1-2", true), (#"[\d\-]{3,}"#, "1-", false), ("a+?b", "aab", true),
        ("[]a]+", "]a", true),
        ("[a-]", "-", true), (".", "x", true), (".", "\n", false), (#"\w\W\s\S\D"#, "a- bc", true), ("x^", "x", false), ("$x", "x", false),
        ("(a*)*b", "aaab", true), ("1{2}", "11", true), ("1{2}", "1", false), ("1{2}", "111", false),
    ]

    @Test(arguments: verdicts)
    func aPatternDecidesOverTheWholeText(_ pattern: String, text: String, matches: Bool) throws {
        #expect(try #require(MobilePattern(pattern)).matches(text) == matches)
    }

    static let refused = [
        #"(a)\1"#, "(?=a)b", "(?!a)b", "(?<=a)b", "(?<n>a)", "(?>a)", "(?i)a", "a++", "a**", "a{2}{3}", #"\bx"#, #"\p{L}"#, "a{", "a{x}",
        "a{3,2}",
        "(a", "a)", "[a", "[z-a]", "[[a]]", "[a&&b]", "*a", "^*", #"a\"#, "ü", "a{65}", "((((((((((((((((((a))))))))))))))))))",
        String(repeating: "a", count: 257), "(((a{64}){64}){64}){64}",
    ]

    @Test(arguments: refused)
    func whatOnlyGoingBackCouldMatchOrWouldGrowTooLargeIsRefused(_ pattern: String) { #expect(MobilePattern(pattern) == nil) }

    @Test
    func nothingRepeatedIsNothingHoweverOften() throws {
        let nest = String(repeating: "(", count: 12) + String(repeating: "){64}", count: 12)
        #expect(try #require(MobilePattern(nest)).matches(""))
    }

    @Test
    func aTextOf32CharactersIsLookedAtALongerOneIsNot() throws {
        let digits = try #require(MobilePattern(#"(\d+)+"#))
        #expect(digits.matches(String(repeating: "1", count: 32)))
        #expect(!digits.matches(String(repeating: "1", count: 33)))
        // Backtracking would try two thousand million ways.
        #expect(!digits.matches(String(repeating: "1", count: 31) + "x"))
    }
}
