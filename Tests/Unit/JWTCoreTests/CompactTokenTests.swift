import JWTCore
import Testing

struct CompactTokenTests {
    @Test(arguments: [("aGVhZA", "cGF5", "c2ln"), ("a", "", ""), ("a", "b", ""), ("a", "", "c"), ("a", "b", "c")])
    func partsAreWhatStandsBetweenTheDots(header: String, payload: String, signature: String) throws {
        let parts = try Parts("\(header).\(payload).\(signature)")
        #expect(parts == Parts(header: header, payload: payload, signature: signature, signingInput: "\(header).\(payload)"))
    }

    @Test
    func partsAreFoundWhereverTheirDotsFall() throws {
        for header in 1...70 {
            for payload in stride(from: 0, through: 70, by: 3) {
                let texts = (String(repeating: "h", count: header), String(repeating: "p", count: payload), "s")
                let parts = try Parts("\(texts.0).\(texts.1).\(texts.2)")
                #expect(parts == Parts(header: texts.0, payload: texts.1, signature: "s", signingInput: "\(texts.0).\(texts.1)"))
            }
        }
    }

    /// All texts of up to eleven letters and dots.
    @Test
    func theNumberOfPartsDecides() {
        var wrong: [[UInt8]] = []
        for length in 0...11 {
            for pattern in 0..<1 << length {
                let text = (0..<length).map { pattern >> $0 & 1 == 1 ? UInt8(ascii: ".") : UInt8(ascii: "a") }
                if splitting(text) != expectation(text) { wrong.append(text) }
            }
        }
        #expect(wrong.isEmpty)
    }

    private func expectation(_ text: [UInt8]) -> String {
        let dots = text.indices.filter { text[$0] == UInt8(ascii: ".") }
        return switch dots.count {
        case 2: dots[0] == 0 ? "malformed_token@0" : "valid"
        case 4: "encrypted_token"
        case 0, 1: "malformed_token"
        default: "malformed_token@\(dots[2])"
        }
    }

    @Test(arguments: [(16_383, "valid"), (16_384, "valid"), (16_385, "token_too_large@16384"), (4 << 20, "token_too_large@16384")])
    func lengthIsLimited(length: Int, expected: String) {
        #expect(splitting(Array("a.b.".utf8) + Array(repeating: UInt8(ascii: "c"), count: length - 4)) == expected)
    }

    @Test(arguments: [(5, "valid"), (4, "token_too_large@4"), (0, "token_too_large@0"), (-1, "token_too_large@0")])
    func limitIsTheCallersToSet(limit: Int, expected: String) {
        var limits = TokenLimits.standard
        limits.tokenBytes = limit
        #expect(splitting(Array("a.b.c".utf8), limits: limits) == expected)
    }

    /// Refuses 4 MiB a hundred thousand times: 400 GiB if the text were read first, almost nothing if only its length is checked.
    @Test(.timeLimit(.minutes(1)), arguments: [".", "a"])
    func refusingByLengthReadsNothing(letter: String) {
        let token = Array(repeating: letter.utf8.first ?? 0, count: 4 << 20)
        var refused = 0
        for _ in 0..<100_000 where isRefused(token.span) { refused += 1 }
        #expect(refused == 100_000)
    }

    private func isRefused(_ bytes: Span<UInt8>) -> Bool {
        do throws(VerificationError) {
            _ = try CompactToken(parsing: bytes)
            return false
        } catch {
            return error.code == .tokenTooLarge
        }
    }

    private func splitting(_ bytes: [UInt8], limits: TokenLimits = .standard) -> String {
        outcome { _ = try CompactToken(parsing: bytes.span, limits: limits) }
    }
}

/// A copy of a token's parts.
private struct Parts: Equatable {
    var header: String
    var payload: String
    var signature: String
    var signingInput: String

    init(header: String, payload: String, signature: String, signingInput: String) {
        self.header = header
        self.payload = payload
        self.signature = signature
        self.signingInput = signingInput
    }

    init(_ token: String) throws {
        let token = try CompactToken(parsing: token.utf8.span)
        header = text(token.header)
        payload = text(token.payload)
        signature = text(token.signature)
        signingInput = text(token.signingInput)
    }
}
