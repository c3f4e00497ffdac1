import JWTCore
import JWTTestSupport
import SelectiveDisclosure

/// An issuer, a holder, and what is judged of their presentations.
enum Credential {
    static let issuer = TokenForge(.edDSA)
    static let holder = TokenForge(.es256, keyID: nil)
    static let audience = "https://verifier.example"
    static let nonce = "n-1"
    static let now = TokenForge.now

    static let plain = #""iss":"https://idp.example","exp":1700003600"#
    static var confirmation: String { #""cnf":{"jwk":\#(holder.jwk)}"# }

    /// An issuer's token with the members `members` beside `iss` and `exp`.
    static func token(_ members: String, type: String? = "dc+sd-jwt") -> String {
        issuer.token(members.isEmpty ? "{\(plain)}" : "{\(plain),\(members)}", type: type)
    }

    /// A presentation without key binding of disclosures that are given as JSON.
    static func presentation(_ members: String, _ disclosures: [String]) -> String {
        presentation(of: token(members), disclosures.map(encoded))
    }

    /// The same for disclosures that are given as they are written.
    static func presentation(of token: String, _ disclosures: [String]) -> String {
        ([token] + disclosures).map { $0 + "~" }.joined()
    }

    /// The claims of a key binding token for a presentation.
    static func binding(
        _ presentation: String, audience: String = #""https://verifier.example""#, nonce: String = #""n-1""#, date: String = "1700000100",
        digest: Digest = .sha256
    ) -> String {
        #"{"aud":\#(audience),"nonce":\#(nonce),"iat":\#(date),"sd_hash":"\#(Self.digest(of: presentation, digest))"}"#
    }

    /// A presentation with key binding.
    static func bound(_ presentation: String, type: String? = "kb+jwt", digest: Digest = .sha256) -> String {
        presentation + holder.token(binding(presentation, digest: digest), type: type)
    }

    // Digests

    static func encoded(_ disclosure: String) -> String { String(decoding: Base64URL.encode(Array(disclosure.utf8)), as: UTF8.self) }

    /// The digest of a disclosure that is given as JSON.
    static func digest(_ disclosure: String, _ digest: Digest = .sha256) -> String { self.digest(of: encoded(disclosure), digest) }

    static func digest(of text: String, _ digest: Digest = .sha256) -> String {
        String(decoding: Base64URL.encode(digest.bytes(of: text.utf8.span)), as: UTF8.self)
    }

    // Judging

    static var credential: ClaimsPolicy {
        var policy = ClaimsPolicy()
        policy.issuers = ["https://idp.example"]
        policy.types = ["dc+sd-jwt"]
        return policy
    }

    static var unbound: PresentationPolicy { PresentationPolicy(claims: credential, keyBinding: .absent) }

    static var required: PresentationPolicy {
        PresentationPolicy(claims: credential, keyBinding: .required(KeyBindingPolicy(audience: audience, nonce: nonce)))
    }

    /// The claims as JSON, or the name of the code, or that of the verifier's code behind it.
    static func outcome(
        _ presentation: String, _ policy: PresentationPolicy = unbound, limits: PresentationLimits = .standard, now: NumericDate = now
    ) -> String {
        do throws(PresentationError) {
            let verifier = PresentationVerifier(keys: issuer.keySet, policy: policy, limits: limits)
            return String(decoding: try verifier.verify(presentation, now: now).payload, as: UTF8.self)
        } catch {
            return error.cause.map { "\(error.code.name): \($0.code.name)" } ?? error.code.name
        }
    }

    /// The same, with "valid" for any claims.
    static func verdict(
        _ presentation: String, _ policy: PresentationPolicy = unbound, limits: PresentationLimits = .standard, now: NumericDate = now
    ) -> String {
        let outcome = outcome(presentation, policy, limits: limits, now: now)
        return outcome.hasPrefix("{") ? "valid" : outcome
    }
}
