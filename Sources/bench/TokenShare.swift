import JWTCore

/// Tokens for one thread alone, one behind the other in memory of its own: in an array of arrays the cores would write to each other's
/// reference counts, and that would be measured.
final class TokenShare: Sendable {
    private let bytes: [UInt8]
    private let ends: [Int]
    private let verifier: TokenVerifier<KeySet>

    init(copying tokens: BenchTokens) {
        var bytes: [UInt8] = [], ends: [Int] = []
        for text in tokens.texts {
            bytes += text
            ends.append(bytes.count)
        }
        self.bytes = bytes
        self.ends = ends
        verifier = tokens.verifier
    }

    func verifies(_ ordinal: Int) -> Bool {
        let place = ordinal % ends.count, bytes = bytes
        return verifies(bytes.span.extracting((place == 0 ? 0 : ends[place - 1])..<ends[place]))
    }

    private func verifies(_ text: Span<UInt8>) -> Bool {
        do throws(VerificationError) {
            return try verifier.withVerified(text, now: BenchTokens.now) { _ in true }
        } catch {
            return false
        }
    }
}
