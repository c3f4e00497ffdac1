import DPoP
import FuzzInput
import JWTCore

/// What a verifier said of a proof for a GET of a URL.
enum Outcome: Equatable {
    case accepted(thumbprint: KeyThumbprint, tokenID: [UInt8], end: NumericDate)
    case refused(VerificationError)

    /// - Parameter thumbprint: the key that the token is bound to; nil for a request without a token.
    init(_ verifier: ProofVerifier, _ proof: String, _ url: String, _ thumbprint: KeyThumbprint?) {
        do throws(VerificationError) {
            let verified =
                if let thumbprint {
                    try verifier.verify(proof, method: "GET", url: url, accessToken: token, boundTo: thumbprint, now: now)
                } else {
                    try verifier.verify(proof, method: "GET", url: url, now: now)
                }
            ReachedCodes.note("accepted")
            self = .accepted(thumbprint: verified.thumbprint, tokenID: verified.tokenID, end: verified.end)
        } catch {
            ReachedCodes.note(error)
            precondition(
                !error.description.isEmpty && error.description.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "an unprintable error")
            self = .refused(error)
        }
    }

    var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
