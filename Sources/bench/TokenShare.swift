import JWTCore
import Locks

/// The tokens of one thread, in its own memory, and a batch that it fills repeatedly, as a server does.
struct TokenShare: Sendable {
    private let tokens: ByteStrings
    private let verifier: TokenVerifier<KeySet>
    private let batch = Locked(TokenBatch())

    static let tokensPerBatch = 64

    init(copying texts: [[UInt8]], _ verifier: TokenVerifier<KeySet>) {
        tokens = ByteStrings(texts)
        self.verifier = verifier
    }

    func verifies(_ ordinal: Int) -> Bool {
        do throws(VerificationError) {
            return try verifier.withVerified(tokens[ordinal]) { _ in true }
        } catch {
            return false
        }
    }

    /// Verifies a whole batch, including the time to fill it.
    func verifiesBatch(_ ordinal: Int) -> Bool {
        batch.withLock { batch in
            batch.removeAll()
            for place in 0..<Self.tokensPerBatch { batch.append(tokens[ordinal * Self.tokensPerBatch + place]) }
            var count = 0
            verifier.withVerified(batch) { _, _ in
                count += 1
            } refused: { _, _ in
            }
            return count == Self.tokensPerBatch
        }
    }
}
