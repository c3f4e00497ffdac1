import JWTCore
import Testing

struct JSONDuplicateTests {
    @Test(arguments: [
        ("{\"sub\":1,\"sub\":1}", 9), ("{\"a\":1,\"\\u0061\":2}", 7), ("{\"\\u0061\":1,\"a\":2}", 12), ("{\"\":1,\"\":2}", 6),
        ("{\"a\":1,\"b\":2,\"c\":{\"a\":1,\"a\":2}}", 24), ("[{\"a\":1,\"a\":2}]", 8), ("{\"a\":{\"a\":{}},\"a\":0}", 14),
        ("{\"\\n\":1,\"\\u000a\":2}", 8), ("{\"/\":1,\"\\/\":2}", 7), ("{\"\\ud83d\\ude00\":1,\"😀\":2}", 18),
        ("{\"\\u00E9\":1,\"\\u00e9\":2}", 12),
        ("{\"é\":1,\"\\u00e9\":2}", 8), ("{\"a\\u0000\":1,\"a\\u0000\":2}", 13), ("{\"a\" : 1 , \"a\" : 2}", 11),
        ("{\"a\":[{\"x\":1}],\"b\":{},\"a\":3}", 22),
    ])
    func oneNameTwiceInAnObjectIsRefusedHoweverItIsWritten(text: String, offset: Int) {
        #expect(reading(text) == "duplicate_member@\(offset)")
    }

    @Test(arguments: [
        "{\"a\":1,\"A\":2}", "{\"a\":{\"a\":{\"a\":1}}}", "[{\"a\":1},{\"a\":1}]", "{\"a\":1,\"a\\u0000\":2}",
        "{\"\\u00e9\":1,\"e\\u0301\":2}",
        "{\"a\":\"a\",\"b\":\"a\"}", "{\"\":1,\" \":2}", "{\"a\":1,\"b\":{\"a\":1},\"c\":[{\"a\":1}]}", "{\"\\\\u0061\":1,\"a\":2}",
        "{\"K\":1,\"\\u212a\":2}",
    ])
    func namesThatOnlyLookAlikeAreTwo(text: String) {
        #expect(reading(text) == "valid")
    }

    @Test(arguments: 1...16)
    func duplicatesAreRefusedAtEveryDepth(depth: Int) {
        let opening = String(repeating: "{\"a\":", count: depth - 1), closing = String(repeating: "}", count: depth - 1)
        #expect(reading("\(opening){\"x\":0,\"y\":0}\(closing)") == "valid")
        #expect(reading("\(opening){\"x\":0,\"x\":0}\(closing)") == "duplicate_member@\(opening.count + 7)")
        // And behind a nested object, among the names of the outer one.
        #expect(reading("\(opening){\"x\":{\"y\":0},\"x\":0}\(closing)").hasPrefix(depth < 16 ? "duplicate_member@" : "nesting_too_deep@"))
    }

    /// Names of one length that share first, middle and last byte have one fingerprint: every one of them must be compared.
    @Test(arguments: [5, 9, 31, 32, 33, 64])
    func namesOfOneFingerprintAreToldApart(length: Int) {
        let names = (0..<250).map { number in
            var name = Array(repeating: UInt8(ascii: "x"), count: length)
            name[1] = UInt8(ascii: "a") + UInt8(number % 16)
            name[length - 2] = UInt8(ascii: "a") + UInt8(number / 16)
            return String(decoding: name, as: UTF8.self)
        }
        let object = names.map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(reading("{\(object)}") == "valid")
        for name in names { #expect(reading("{\(object),\"\(name)\":0}") == "duplicate_member@\(object.utf8.count + 2)") }
        #expect(reading("{\(object),\"\(escaped(names[249]))\":0}") == "duplicate_member@\(object.utf8.count + 2)")
    }

    /// Thousands of objects of names from a small pool, written in random ways, against a set of their bytes.
    @Test
    func duplicatesAreWhatASetOfTheUnescapedNamesSays() {
        var random = SeededGenerator(seed: 7_515)
        let names = ["", "a", "b", "ab", "ba", "aa", "é", "e\u{301}", "😀", "\n", "a\0", "alg", "ALG", "aud", "azp", "exp", "iss"]
        let pool = names.map { Array($0.unicodeScalars) }
        for _ in 0..<5_000 {
            var names: [String] = [], seen: Set<[Unicode.Scalar]> = []
            var isRepeated = false
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                guard let name = pool.randomElement(using: &random) else { continue }
                isRepeated = !seen.insert(name).inserted || isRepeated
                names.append(name.map { written($0, &random) }.joined())
            }
            let text = "{\(names.map { "\"\($0)\":0" }.joined(separator: ","))}"
            #expect(reading(text).hasPrefix("duplicate_member@") == isRepeated, "\(text)")
        }
    }

    private func escaped(_ text: String) -> String {
        text.utf16.map { "\\u00\(String($0, radix: 16))" }.joined()
    }

    private func written(_ scalar: Unicode.Scalar, _ random: inout SeededGenerator) -> String {
        guard scalar.value < 0x20 || Bool.random(using: &random) else { return String(scalar) }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
            return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
        }.joined()
    }
}
