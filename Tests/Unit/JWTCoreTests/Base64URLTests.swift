import Foundation
import JWTCore
import Testing

struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
    func rfc4648Section10WithoutPadding(plain: String, encoded: String) throws {
        #expect(base64url(plain.utf8) == encoded)
        #expect(try Base64URL.bytes(encoded.utf8.span) == Array(plain.utf8))
    }

    @Test(arguments: 0...300)
    func whatIsEncodedDecodesToItself(length: Int) throws {
        var random = SeededGenerator(seed: UInt64(length))
        for _ in 0..<20 {
            let plain = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let encoded = Base64URL.encode(plain)
            #expect(encoded == foundationEncoded(plain))
            #expect(Base64URL.decodedCount(encoded.count) == length)
            #expect(try Base64URL.bytes(encoded.span) == plain)
        }
    }

    /// Every byte value at every position of texts of every length modulo four, across the widths of the kernels.
    @Test(arguments: [1, 2, 3, 4, 5, 31, 32, 33, 34, 66, 67, 68, 69])
    func everyByteAtEveryPositionIsTakenOrRefusedWhereItStands(length: Int) {
        var wrong: [[UInt8]] = []
        for position in 0..<length {
            for byte in UInt8.min...UInt8.max {
                var text = Array(repeating: UInt8(ascii: "A"), count: length)
                text[position] = byte
                if decoding(text) != expectation(text, changed: position) { wrong.append(text) }
            }
        }
        #expect(wrong.isEmpty)
    }

    private func expectation(_ text: [UInt8], changed position: Int) -> String {
        guard let value = alphabet.firstIndex(of: text[position]) else { return "invalid_base64url@\(position)" }
        let unused = [0, 63, 15, 3][text.count % 4]
        let isGood = text.count % 4 != 1 && (position < text.count - 1 || value & unused == 0)
        return isGood ? "valid" : "invalid_base64url@\(text.count - 1)"
    }

    @Test(arguments: [
        ("Zg==", 2), ("Zm8=", 3), ("Zm9v\n", 4), (" Zm9v", 0), ("Zm+v", 2), ("Zm/v", 2), ("Zm9v=", 4), ("Zm9vé", 4), ("Zh", 1),
        ("Zm9", 2), ("A", 0),
    ])
    func laxSpellingsAreRefused(text: String, offset: Int) {
        #expect(decoding(Array(text.utf8)) == "invalid_base64url@\(offset)")
    }

    @Test
    func theFirstOfSeveralWrongBytesIsTold() {
        for first in 0..<100 {
            var text = Array(repeating: UInt8(ascii: "_"), count: 100)
            text[first] = UInt8(ascii: "+")
            for later in stride(from: first, to: 100, by: 7) { text[later] = UInt8(ascii: "/") }
            #expect(decoding(text) == "invalid_base64url@\(first)")
        }
    }

    @Test
    func noTwoTextsDecodeAlike() throws {
        var seen: Set<[UInt8]> = []
        var accepted = 0
        for first in alphabet {
            for second in alphabet {
                for text in [[first, second], [UInt8(ascii: "A"), first, second]] {
                    guard let bytes = try? Base64URL.bytes(text.span) else { continue }
                    accepted += 1
                    seen.insert(bytes)
                }
            }
        }
        // 256 single bytes, and the 1,024 pairs whose first six bits are zero.
        #expect(accepted == 256 + 1_024)
        #expect(seen.count == accepted)
    }

    private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private func decoding(_ text: [UInt8]) -> String {
        outcome { _ = try Base64URL.bytes(text.span) }
    }

    private func foundationEncoded(_ bytes: [UInt8]) -> [UInt8] {
        Data(bytes).base64EncodedString().utf8.compactMap {
            switch $0 {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: $0
            }
        }
    }
}
