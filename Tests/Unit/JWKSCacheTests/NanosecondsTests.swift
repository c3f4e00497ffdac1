import JWKSCache
import Testing

struct NanosecondsTests {
    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(-1), -1), (.seconds(9_223_372_035), 9_223_372_035_000_000_000),
            (Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_999_999_999), .max),
            (Duration(secondsComponent: -9_223_372_036, attosecondsComponent: -999_999_999_999_999_999), .min), (.seconds(Int64.max), .max),
        ] as [(Duration, Int64)])
    func aDurationEndsWhereItsNanosecondsDo(duration: Duration, expected: Int64) { #expect(duration.nanoseconds == expected) }
}
