import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// RFC 8785's documents, the unlabelled parts of JSONTestSuite, and the web platform's base64 (`assay conformance` runs the labelled JSON).
@Suite(.enabled(if: ConformanceFolder.isThere))
struct JSONDocumentTests {
    @Test(arguments: ["arrays", "french", "structures", "unicode", "values", "weird"])
    func canonicalFormsAreEqualAsValues(name: String) throws {
        let input = try PlainJSON.reading(ConformanceFolder.bytes("json/jcs/input/\(name).json")).get()
        let output = try PlainJSON.reading(ConformanceFolder.bytes("json/jcs/output/\(name).json")).get()
        #expect(input != nil)
        #expect(input == output)
    }

    @Test(arguments: [
        ("number_1.0", "1"), ("number_1.000000000000000005", "1"), ("number_1e6", "1000000"),
        ("number_1000000000000000", "1000000000000000"),
        ("number_9223372036854775807", "9223372036854775807"), ("number_9223372036854775808", "9223372036854775808"),
    ])
    func numbersKeepTheirValue(name: String, value: String) throws {
        let bytes = ConformanceFolder.bytes("json/JSONTestSuite/test_transform/\(name).json")
        #expect(try PlainJSON.reading(bytes).get() == .array([.number(try #require(Double(value)))]))
    }

    @Test(arguments: [
        ("object_same_key_different_values", "duplicate_member"), ("string_1_escaped_invalid_codepoint", "invalid_json"),
        ("string_3_escaped_invalid_codepoints", "invalid_json"), ("string_1_invalid_codepoint", "invalid_utf8"),
        ("string_2_invalid_codepoints", "invalid_utf8"), ("string_3_invalid_codepoints", "invalid_utf8"),
    ])
    func whatParsersDisagreeAboutIsRefused(name: String, code: String) {
        #expect(PlainJSON.verdict(ConformanceFolder.bytes("json/JSONTestSuite/test_transform/\(name).json")) == code)
    }

    @Test
    func namesAndStringsAreNotChanged() throws {
        let names = try PlainJSON.reading(ConformanceFolder.bytes("json/JSONTestSuite/test_transform/object_key_nfd_nfc.json")).get()
        #expect(names == .object([Array("e\u{301}".utf8): .string(Array("NFD".utf8)), Array("\u{e9}".utf8): .string(Array("NFC".utf8))]))
        let null = try PlainJSON.reading(ConformanceFolder.bytes("json/JSONTestSuite/test_transform/string_with_escaped_NULL.json")).get()
        #expect(null == .array([.string([0x41, 0, 0x42])]))
        #expect(ConformanceFolder.names("json/JSONTestSuite/test_transform").count == 14)
    }

    /// The cases that RFC 8259 leaves open: any number is kept as text; only well-formed Unicode is a string.
    @Test
    func ofTheOpenCasesEightAreAccepted() {
        let names = ConformanceFolder.names("json/JSONTestSuite/test_parsing").filter { $0.hasPrefix("i_") }
        let accepted = names.filter { PlainJSON.verdict(ConformanceFolder.bytes("json/JSONTestSuite/test_parsing/\($0)")) == "valid" }
        #expect(names.count == 22)
        #expect(
            accepted == [
                "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json", "i_number_pos_double_huge_exp.json",
                "i_number_real_pos_overflow.json", "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
                "i_number_very_big_negative_int.json", "i_structure_500_nested_arrays.json",
            ])
        let nested = ConformanceFolder.bytes("json/JSONTestSuite/test_parsing/i_structure_500_nested_arrays.json")
        var limits = PlainJSON.limits
        limits.depth = 499
        #expect(PlainJSON.verdict(nested, limits: limits) == "nesting_too_deep")
    }

    /// Strict base64url accepts the forgiving-base64 texts that need no forgiveness.
    @Test
    func forgivingBase64IsNotForgiven() {
        let cases = ConformanceFolder.json("base64/wpt-forgiving-base64.json") as? [[Any]] ?? []
        var decoded: [String] = []
        for pair in cases {
            let text = pair[0] as? String ?? "?"
            do throws(VerificationError) {
                let bytes = try Base64URL.bytes(text.utf8.span)
                #expect(bytes.map(Int.init) == pair[1] as? [Int], "\(text)")
                decoded.append(text)
            } catch {
                #expect(error.code == .invalidBase64URL, "\(text)")
            }
        }
        #expect(decoded == ["", "abcd", "abc"])
        #expect(cases.count == 71)
    }
}
