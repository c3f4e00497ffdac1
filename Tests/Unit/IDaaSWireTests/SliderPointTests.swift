import IDaaSWire
import Testing

@Suite struct SliderPointTests {
    @Test func aPointIsWrittenWithDecimalsAndReadBack() {
        let point = SliderPoint(x: 237)
        #expect(point.json == #"{"x":237.0,"y":5.0}"# && SliderPoint(json: point.json) == point)
    }

    static let refused = [
        "", "{}", "[]", "x", #"{"x":"1","y":5}"#, #"{"x":1}"#, #"{"x":1,"x":2,"y":5}"#, String(repeating: " ", count: 300),
        #"{"x":1,"y":5}"# + String(repeating: " ", count: 250),
    ]

    @Test(arguments: refused) func anyOtherTextIsRefused(_ text: String) { #expect(SliderPoint(json: text) == nil) }
}
