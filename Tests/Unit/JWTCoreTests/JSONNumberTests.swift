import JWTCore
import Testing

struct JSONNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("18446744073709551616", nil),
            ("99999999999999999999999999999999", nil), ("1.0", nil), ("1e2", nil), ("0e0", nil),
        ] as [(String, Int64?)])
    func integersAreExactOrAbsent(text: String, expected: Int64?) throws {
        let value = try withJSON(text) { $0.number?.int64 }
        #expect(value == expected)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", -0.0), ("1.5", 1.5), ("17e8", 1.7e9), ("1E-2", 0.01), ("1e400", nil), ("-1e400", nil), ("1e308", 1e308),
            ("1e309", nil), ("1e-400", 0), ("0e999999", 0), ("9007199254740993", 9_007_199_254_740_992),
            ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
        ] as [(String, Double?)])
    func doublesAreTheNearestOrAbsent(text: String, expected: Double?) throws {
        let value = try withJSON(text) { $0.number?.double }
        #expect(value == expected)
    }

    @Test(arguments: ["0", "-0", "1.50", "1E+09", "9007199254740993"])
    func theTextIsWhatWasWritten(written: String) throws {
        let (text, isInteger) = try withJSON(written) { ($0.number?.text, $0.number?.isInteger) }
        #expect(text == written)
        #expect(isInteger == !written.contains { $0 == "." || $0 == "E" })
    }
}
