import FuzzInput
import JWTCore

/// Keys that are replaced: by another set of the same key, or by one that lacks it.
final class ReplacedKeys: KeySource, @unchecked Sendable {
    // One thread uses it.
    private var number = 0
    private var keys = Keys.set([Keys.hs256JWK])

    func replace() {
        number += 1
        keys = number % 3 == 1 ? Keys.set([Keys.jwk(Keys.ed25519)]) : Keys.set([Keys.hs256JWK])
    }

    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        try body(keys)
    }
}
