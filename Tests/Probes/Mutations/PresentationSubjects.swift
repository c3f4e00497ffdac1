import JWTCore
import JWTSigning
import JWTTestSupport
import SelectiveDisclosure

/// Mutated presentations of SD-JWTs.
struct PresentationSubjects {
    private let issuer = TokenForge(.hs256)
    private let bound: PresentationVerifier<KeySet>
    private let unbound: PresentationVerifier<KeySet>
    private let presentation: [UInt8]

    private static let disclosures = [
        #"["s1","name",{"a":[1,{"b":"\u00e9"}]}]"#, #"["s2",["x",{"...":"d"}]]"#, #"["s3","sub","jane"]"#,
    ]
    .map { Array($0.utf8) }

    init() {
        let holder = TokenForge(.edDSA, keyID: nil)
        var claims = ClaimsPolicy()
        claims.algorithms = [.hs256]
        claims.requiresExpiration = false
        let binding = KeyBindingPolicy(audience: "https://verifier.example", nonce: "n-1")
        bound = PresentationVerifier(
            keys: issuer.keySet, policy: PresentationPolicy(claims: claims, keyBinding: .required(binding)))
        unbound = PresentationVerifier(keys: issuer.keySet, policy: PresentationPolicy(claims: claims, keyBinding: .absent))
        let members = #""cnf":{"jwk":\#(holder.jwk)},"_sd":["\#(Self.digest(Self.disclosures[0]))"]"#
        let presented = issuer.token("{\(members)}") + "~" + Self.text(Base64URL.encode(Self.disclosures[0])) + "~"
        let proof = #"{"aud":"https://verifier.example","nonce":"n-1","iat":1700000100,"sd_hash":"\#(Self.hash(Array(presented.utf8)))"}"#
        presentation = Array((presented + holder.token(proof, type: "kb+jwt")).utf8)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func hash(_ text: [UInt8]) -> String { self.text(Base64URL.encode(Digest.sha256.bytes(of: text.span))) }

    /// The digest of a disclosure.
    private static func digest(_ disclosure: [UInt8]) -> String { hash(Base64URL.encode(disclosure)) }

    /// Whether a changed presentation with key binding is accepted.
    func acceptsMutated(_ mutator: inout Mutator) -> Bool {
        let changed = mutator.mutated(presentation)
        return (try? bound.verify(changed.span, now: TokenForge.now)) != nil
    }

    /// Mutated claims and disclosures with their digests, under a valid signature, so that all code after the signature runs.
    ///
    /// - Returns: whether a digest is left in claims that were accepted.
    func leavesDigest(_ mutator: inout Mutator) -> Bool {
        let disclosures = Self.disclosures.map { mutator.next(below: 2) == 0 ? $0 : mutator.mutated($0) }
        let digests = disclosures.map(Self.digest)
        let claims = #"{"a":{"_sd":["\#(digests[0])"]},"b":[{"...":"\#(digests[1])"},1],"_sd":["\#(digests[2])"],"_sd_alg":"sha-256"}"#
        let payload = mutator.next(below: 2) == 0 ? Array(claims.utf8) : mutator.mutated(Array(claims.utf8))
        guard let token = issuer.signer.token(header: #"{"alg":"HS256","kid":"test-key"}"#, payload: payload) else { return false }
        let parts = [Array(token.utf8)] + disclosures.map { Base64URL.encode($0) }
        let presentation = Array(parts.map { $0 + [UInt8(ascii: "~")] }.joined())
        guard let verified = try? unbound.verify(presentation.span, now: TokenForge.now) else { return false }
        return verified.claims.value.hasDigest
    }
}

extension JSONValue {
    /// Whether `_sd` or `...` is the name of a member, at any depth.
    fileprivate var hasDigest: Bool {
        var found = self["_sd"] != nil || self["..."] != nil
        forEachMember { _, value in found = found || value.hasDigest }
        forEachElement { value in found = found || value.hasDigest }
        return found
    }
}
