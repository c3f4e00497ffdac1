import JWTCore
import Testing

struct NumericDateTests {
    @Test(
        arguments: [
            ("0", 0, 0), ("-0", 0, 0), ("-0.0", 0, 0), ("1.5", 1, 500_000_000), ("-1", -1, 0), ("-1.5", -2, 500_000_000),
            ("-0.25", -1, 750_000_000), ("9.9e9", 9_900_000_000, 0), ("17e8", 1_700_000_000, 0), ("1.7E+9", 1_700_000_000, 0),
            ("1.7e9", 1_700_000_000, 0), ("17000000000e-1", 1_700_000_000, 0), ("0.0000000001e10", 1, 0),
            ("1700000000.123456789123", 1_700_000_000, 123_456_789), ("1700000000.9999999999", 1_700_000_000, 999_999_999),
            ("0.000000001", 0, 1), ("0.0000000001", 0, 0), ("-0.0000000001", 0, 0), ("-0.000000001", -1, 999_999_999), ("1e-9", 0, 1),
            ("1e-10", 0, 0), ("1e-400", 0, 0), ("0e999999", 0, 0), ("0.0e99999999999999999999", 0, 0),
            ("1e0000000000000000000000000000000000001", 10, 0), ("100000000000000000000000e-14", 1_000_000_000, 0),
            ("1e11", 100_000_000_000, 0), ("253402300799", 253_402_300_799, 0), ("2.53402300799e11", 253_402_300_799, 0),
            ("253402300799.999999999", 253_402_300_799, 999_999_999), ("-253402300799", -253_402_300_799, 0),
            ("4102444800", 4_102_444_800, 0), ("9999999999", 9_999_999_999, 0), ("1e-99999999999999999999", 0, 0),
            ("123456789012345678901234567890e-20", 1_234_567_890, 123_456_789), ("1.7000000005e9", 1_700_000_000, 500_000_000),
        ] as [(String, Int64, UInt32)])
    func datesAreExactToTheNanosecondInAnyNotation(text: String, seconds: Int64, nanoseconds: UInt32) throws {
        let date = try withJSON(text) { $0.date }
        #expect(date == NumericDate(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        "253402300800", "-253402300800", "2.534023008e11", "1e12", "1e400", "-1e400", "1e99999999999999999999", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e300", "999999999999", "0.0000000001e30",
        "1000000000000000000000000000000000000000000000000000000000000000",
    ])
    func datesBeyondTheYear9999AreNone(text: String) throws {
        let isDate = try withJSON(text) { $0.date != nil }
        #expect(!isDate)
    }

    /// The same number written with its point and exponent moved is the same date.
    @Test
    func notationMakesNoDifference() throws {
        let digits = "1700000000123456789"
        for exponent in -25...25 {
            let shift = 10 - exponent
            let mantissa =
                if shift <= 0 {
                    "0.\(String(repeating: "0", count: -shift))\(digits)"
                } else if shift >= digits.count {
                    "\(digits)\(String(repeating: "0", count: shift - digits.count))"
                } else {
                    "\(digits.prefix(shift)).\(digits.dropFirst(shift))"
                }
            let date = try withJSON("\(mantissa)e\(exponent)") { $0.date }
            #expect(date == NumericDate(seconds: 1_700_000_000, nanoseconds: 123_456_789), "\(mantissa)e\(exponent)")
        }
    }

    @Test(
        arguments: [
            (0, 60, 60), (0, -60, -60), (.max, 1, .max), (.max - 1, 1, .max), (.max - 1, 2, .max), (.min, -1, .min), (1, .max, .max),
            (-1, .min, .min), (.min, .max, -1), (.max, .min, -1), (253_402_300_799, .max, .max), (-253_402_300_799, .min, .min),
        ] as [(Int64, Int64, Int64)])
    func advancingStopsAtTheEndsInsteadOfWrapping(seconds: Int64, by: Int64, expected: Int64) {
        #expect(NumericDate(seconds: seconds, nanoseconds: 5).advanced(bySeconds: by) == NumericDate(seconds: expected, nanoseconds: 5))
    }

    @Test
    func orderIsBySecondsThenNanoseconds() {
        let dates = [
            NumericDate(seconds: .min), NumericDate(seconds: -2, nanoseconds: 999_999_999), NumericDate(seconds: -1),
            NumericDate(seconds: -1, nanoseconds: 1), 0,
            NumericDate(seconds: 0, nanoseconds: 1), NumericDate(seconds: 0, nanoseconds: 999_999_999), 1, NumericDate(seconds: .max),
        ]
        for (index, date) in dates.enumerated() {
            for (other, otherDate) in dates.enumerated() {
                #expect((date < otherDate) == (index < other))
                #expect((date == otherDate) == (index == other))
            }
        }
    }

    @Test
    func nanosecondsStayBelowASecond() {
        #expect(NumericDate(seconds: 1, nanoseconds: .max).nanoseconds == 999_999_999)
    }
}
