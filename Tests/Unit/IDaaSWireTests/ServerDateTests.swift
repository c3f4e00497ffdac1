import IDaaSWire
import Testing

@Suite struct ServerDateTests {
    static let dates: [(String, Int64?)] = [
        ("1700000400000", 1_700_000_400_000), ("1700000400", 1_700_000_400_000), ("1700000400123", 1_700_000_400_123), ("0", nil),
        ("-1700000400", nil), ("100000000000000000", nil), ("1.5", nil), ("", nil),
    ]

    @Test(arguments: dates) func secondsAndMillisecondsAreToldApartBySize(_ text: String, milliseconds: Int64?) {
        let date = ServerDate(text)
        #expect(date?.milliseconds == milliseconds && date?.text == (milliseconds == nil ? nil : text))
    }
}
