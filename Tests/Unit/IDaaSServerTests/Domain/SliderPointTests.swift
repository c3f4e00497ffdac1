import IDaaSServer
import IDaaSWire
import Testing

struct SliderPointTests {
    @Test
    func aPointIsWrittenAsClientsWriteItAndReadBack() {
        let point = SliderPoint(x: 237)
        #expect(point.document.text == point.json && SliderPoint(json: point.json) == point)
    }

    @Test(arguments: [
        "", "{}", "[]", "x", #"{"x":"1","y":5}"#, #"{"x":1}"#, #"{"x":1,"x":2,"y":5}"#, #"{"x":1e999,"y":5}"#,
        String(repeating: " ", count: 300), #"{"x":1,"y":5}"# + String(repeating: " ", count: 250),
    ])
    func anyOtherTextIsRefused(_ text: String) { #expect(SliderPoint(json: text) == nil) }
}
