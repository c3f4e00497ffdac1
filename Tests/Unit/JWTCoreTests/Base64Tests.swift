import Foundation
import JWTCore
import Testing

/// Base64 with padding, as Foundation has it.
struct Base64Tests {
    @Test func agreesWithFoundation() {
        for count in 0..<100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.text(bytes) == text)
            #expect(Base64.bytes(text) == bytes)
        }
    }

    @Test(arguments: ["A", "AA", "AAA", "AA=", "=", "A===", "AA==AA==", "AA\nAA", "A-_A", "AAAA="])
    func refuses(_ text: String) { #expect(Base64.bytes(text) == nil) }

    @Test func skipsOtherCharactersOnDemand() {
        #expect(Base64.bytes(" QU\r\nJD ", ignoresOthers: true) == Array("ABC".utf8))
        #expect(Base64.bytes("QQ=\n=", ignoresOthers: true) == Array("A".utf8))
    }
}
