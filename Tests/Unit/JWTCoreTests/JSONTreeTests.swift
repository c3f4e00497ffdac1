import Foundation
import JWTCore
import Testing

/// Documents as trees say what Foundation's coders say.
struct JSONTreeTests {
    private struct Sample: Codable, Equatable {
        var text = "a/b \"c\" \\ \u{1} \u{8}\u{c}\n\r\t \u{7f} é 😀"
        var numbers: [Double] = [0, -1, 0.5, 1e300, 1e-9, 123_456_789.25]
        var integers: [Int64] = [.min, 0, .max]
        var nothing: String?
        var inner = ["b": [true, false], "a": []]
        var nested: [[Int]] = [[], [1, 2]]
    }

    private static let foundation: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    @Test func writesAsFoundationDoes() throws {
        let own = try JSONTree(encoding: Sample()).json
        #expect(String(decoding: own, as: UTF8.self) == String(decoding: try Self.foundation.encode(Sample()), as: UTF8.self))
        #expect(try JSONTree.decode(Sample.self, from: own) == Sample())
    }

    @Test(arguments: ["", "{", "{\"a\":1,}", "[1 2]", "\"\u{1}\"", "01", "nul", "{\"a\":1,\"a\":2}"])
    func refusesWhatIsNoDocument(_ text: String) {
        #expect(throws: VerificationError.self) { try JSONTree(parsing: Array(text.utf8)) }
        #expect(throws: DecodingError.self) { try JSONTree.decode(Sample.self, from: Array(text.utf8)) }
    }

    @Test func keepsNumbersAsTheyAreWritten() throws {
        let text = "{\"a\":1.50,\"b\":123456789012345678901234567890,\"c\":1e3}"
        let tree = try JSONTree(parsing: Array(text.utf8))
        #expect(String(decoding: tree.json, as: UTF8.self) == text)
        #expect(tree["a"]?.integer == nil && tree["b"]?.integer == nil && tree["c"]?.integer == 1_000)
    }

    @Test func refusesNumbersThatJSONDoesNotHave() {
        #expect(throws: EncodingError.self) { try JSONTree(encoding: [Double.nan]) }
        #expect(throws: EncodingError.self) { try JSONTree(encoding: [Float.infinity]) }
    }
}
