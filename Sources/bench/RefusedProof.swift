import JWTCore

/// A reason for which a proof is refused before its signature.
struct RefusedProof: Sendable {
    let name: String
    let code: VerificationError.Code
    /// Changes of the claims: a text and what takes its place.
    var changes: (String, String)?
    var type = "dpop+jwt"
    /// Whether another client's key stands in the header.
    var hasOtherKey = false
    /// The whole text, in place of a signed proof.
    var text: String?

    /// In the order of the checks.
    static let all = [
        Self(name: "junk", code: .malformedProof, text: "eyJ0eXAiOiJkcG9wK2p3dCJ9.e30"),
        Self(name: "type", code: .proofTypeMismatch, type: "JWT"),
        Self(name: "method", code: .proofMethodMismatch, changes: ("GET", "PUT")),
        Self(name: "url", code: .proofURLMismatch, changes: ("/orders", "/other")),
        Self(name: "old", code: .proofTooOld, changes: ("1700000000", "1600000000")),
        Self(name: "token", code: .proofTokenMismatch, changes: (#""ath":""#, #""ath":"A"#)),
        Self(name: "key", code: .proofKeyMismatch, hasOtherKey: true),
    ]
}
