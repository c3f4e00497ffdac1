import IDaaSWire
import Testing

@Suite struct SliderPointTests {
    @Test func aPointIsWrittenWithDecimals() { #expect(SliderPoint(x: 237).json == #"{"x":237.0,"y":5.0}"#) }
}
