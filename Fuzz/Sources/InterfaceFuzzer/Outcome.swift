import CAssayInterface
import FuzzInput
import JWTCore

/// What the Swift library says of a token.
struct Outcome {
    private(set) var token: VerifiedToken?
    private(set) var error: VerificationError?

    /// The code of the C interface for it.
    var code: assay_code { error.map { assay_code($0.code.number) } ?? assay_code(ASSAY_OK) }

    init(_ verifier: TokenVerifier<KeySet>, _ token: [UInt8]) {
        do throws(VerificationError) {
            self.token = try verifier.verify(token, now: now)
        } catch {
            ReachedCodes.note(error)
            self.error = error
        }
    }
}
