import DPoP
import JWTCore
import JWTTestSupport
import Testing

/// The key that a proof brings: only a whole public key, of a size and a point that hold, and nothing else for its private half.
struct ProofKeyTests {
    private static let verifier = ProofVerifier()

    private static func code(_ jwk: String, _ forge: ProofForge = .es256, boundTo thumbprint: KeyThumbprint? = nil) -> String? {
        let proof = forge.proof(header: #"{"typ":"dpop+jwt","alg":"\#(forge.algorithm.name)","jwk":\#(jwk)}"#)
        return verifier.code(proof, boundTo: thumbprint ?? forge.thumbprint)
    }

    private static func with(_ members: String) -> String { ProofForge.es256.jwk.dropLast() + "," + members + "}" }

    @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])
    func aKeyWithAPrivateMemberIsRefused(name: String) { #expect(Self.code(Self.with(#""\#(name)":"AA""#)) == "invalid_proof_key") }

    @Test(arguments: [
        #""use":"enc""#, #""use":7"#, #""key_ops":["sign"]"#, #""key_ops":"verify""#, #""alg":"ES384""#, #""alg":"none""#, #""alg":1"#,
    ])
    func aKeyForAnotherUseIsRefused(member: String) { #expect(Self.code(Self.with(member)) == "invalid_proof_key") }

    @Test(arguments: [
        #""use":"sig""#, #""key_ops":["verify"]"#, #""alg":"ES256""#, #""kid":"key-of-the-issuer""#, #""x5u":"https://evil.example""#,
    ])
    func whatAKeySaysBesideItsMaterialDoesNotChangeItsThumbprint(member: String) { #expect(Self.code(Self.with(member)) == nil) }

    @Test(arguments: [
        "null", "7", #""x""#, "[]", "{}", #"{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#, #"{"kty":"oct"}"#,
        #"{"kty":"ec"}"#,
        #"{"kty":"EC"}"#, #"{"kty":"EC","crv":"P-256"}"#, #"{"kty":"EC","crv":"P-257","x":"AA","y":"AA"}"#,
        #"{"kty":"EC","crv":"Ed25519","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","y":"AA"}"#,
        #"{"kty":"OKP","crv":"P-256","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
        #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
        #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #"{"kty":"RSA","e":"AQAB"}"#,
    ])
    func whatIsNoKeyForTheAlgorithmIsRefused(jwk: String) { #expect(Self.code(jwk) == "invalid_proof_key") }

    /// The thumbprint is that of the text, so only the check of the point refuses it.
    @Test
    func aPointOffTheCurveIsRefused() throws {
        let x = String(repeating: "A", count: 42) + "E"
        let jwk = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(x)"}"#
        let thumbprint = Self.thumbprint(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(x)"}"#)
        #expect(Self.code(jwk, boundTo: thumbprint) == "invalid_proof_key")
    }

    @Test
    func unusedBitsAndEscapesGiveNoSecondKey() throws {
        let jwk = ProofForge.es256.jwk, members = try #require(jwk.firstMatch(of: #/"x":"([^"]+)","y":"([^"]+)"/#)).output
        let bent = String(members.1.dropLast()) + Self.nextDigit(members.1.last), x = String(members.1), y = String(members.2)
        let written = #"{"crv":"P-256","kty":"EC","x":"\#(bent)","y":"\#(y)"}"#
        #expect(Self.code(written, boundTo: Self.thumbprint(written)) == "invalid_proof_key")
        let escaped = String(format(x.first)) + x.dropFirst()
        #expect(Self.code(#"{"crv":"P-256","kty":"EC","x":"\#(escaped)","y":"\#(y)"}"#) == "invalid_proof_key")
    }

    private func format(_ character: Character?) -> String {
        let digits = String(character?.asciiValue ?? 0, radix: 16)
        return "\\u00" + digits
    }

    /// Another character with the same bits that count.
    private static func nextDigit(_ character: Character?) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let place = character.flatMap(alphabet.firstIndex(of:)) ?? 0
        return String(alphabet[place | 1])
    }

    static func thumbprint(_ document: String) -> KeyThumbprint {
        guard let thumbprint = KeyThumbprint(Digest.sha256.bytes(of: document.utf8.span)) else { fatalError("no digest") }
        return thumbprint
    }

    @Test
    func weakAndOversizedRSAKeysAreRefused() {
        let weak = ProofForge(.ps256, bits: 1024)
        #expect(Self.code(weak.jwk, weak, boundTo: ProofForge.es256.thumbprint) == "invalid_proof_key")
        let tiny = ProofForge(.rs256, bits: 512)
        #expect(Self.code(tiny.jwk, tiny, boundTo: ProofForge.es256.thumbprint) == "invalid_proof_key")
        let large = ProofForge(.ps256, bits: 4096)
        #expect(Self.code(large.jwk, large) == nil)
        let larger = ProofForge(.ps256, bits: 5120)
        #expect(Self.code(larger.jwk, larger) == "invalid_proof_key")
    }

    @Test
    func anRSAKeyWithLeadingZerosIsRefused() throws {
        let forge = ProofForge(.ps256)
        let modulus = try #require(forge.jwk.firstMatch(of: #/"n":"([^"]+)"/#)).output.1
        let bytes = [0] + (try Base64URL.bytes(String(modulus).utf8.span)), text = String(decoding: Base64URL.encode(bytes), as: UTF8.self)
        let jwk = forge.jwk.replacing(String(modulus), with: text)
        #expect(Self.code(jwk, forge) == "invalid_proof_key")
    }

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .ed25519, .ed448, .rs256])
    func theThumbprintIsThatOfRFC7638(algorithm: SignatureAlgorithm) throws {
        let forge = ProofForge(algorithm)
        let proof = try ProofVerifier().verify(forge.proof(), method: "GET", url: "https://api.example/orders", now: ProofForge.now)
        #expect(proof.thumbprint == forge.thumbprint)
    }

    // Keys that come back

    @Test
    func aKeySeenOnceHasNoTableAndIsNotKept() throws {
        let keys = ProofKeys(), verifier = ProofVerifier(keys: keys), forge = ProofForge(.es256)
        #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil && keys.count == 0)
        #expect(keys.kept(forge.thumbprint) == nil)
        #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil && keys.count == 1)
        let kept = try #require(keys.kept(forge.thumbprint))
        #expect(kept.kernelKey != nil)
        for _ in 0..<40 { #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil) }
        #expect(keys.count == 1)
        KeyTables.senders.settle()
        #expect(kept.kernelKey?.table != nil || Engine.tier == .openssl)
        #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil)
        #expect(
            verifier.code(
                ProofForge.other.proof(header: #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(forge.jwk)}"#), boundTo: forge.thumbprint)
                == "proof_signature_invalid")
    }

    /// A verifier that keeps the key of `forge`, by the text that its proofs have.
    private static func verifierKeeping(_ forge: ProofForge, _ keys: ProofKeys = ProofKeys()) -> ProofVerifier {
        let verifier = ProofVerifier(keys: keys)
        for _ in 0..<3 { #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil) }
        #expect(keys.kept(forge.thumbprint) != nil)
        return verifier
    }

    @Test(arguments: [#","kid":"a"}"#, " }", #","use":"sig"}"#])
    func aKeptKeyIsTheSameInAnotherText(end: String) {
        let forge = ProofForge.es256, verifier = Self.verifierKeeping(forge)
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(forge.jwk.dropLast() + end)}"#
        for _ in 0..<2 { #expect(verifier.code(forge.proof(header: header), boundTo: forge.thumbprint) == nil) }
    }

    /// The text of a kept key says nothing about the rules for another text.
    @Test(arguments: [#","d":"AA"}"#, #","use":"enc"}"#, #","alg":"ES384"}"#])
    func aKeptKeyInARefusedTextIsRefused(end: String) {
        let forge = ProofForge.es256, verifier = Self.verifierKeeping(forge)
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(forge.jwk.dropLast() + end)}"#
        #expect(verifier.code(forge.proof(header: header), boundTo: forge.thumbprint) == "invalid_proof_key")
    }

    @Test
    func aKeptKeyIsForItsTokensAndItsAlgorithms() {
        let forge = ProofForge.es256, other = ProofForge.other, keys = ProofKeys(), verifier = Self.verifierKeeping(forge, keys)
        _ = Self.verifierKeeping(other, keys)
        #expect(verifier.code(forge.proof(), boundTo: other.thumbprint) == "proof_key_mismatch")
        #expect(verifier.code(other.proof(), boundTo: forge.thumbprint) == "proof_key_mismatch")
        let edwards = ProofForge(.ed25519), kept = Self.verifierKeeping(edwards, keys)
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(edwards.jwk)}"#
        #expect(kept.code(forge.proof(header: header), boundTo: edwards.thumbprint) == "invalid_proof_key")
    }

    /// Its text is not kept, and is read at each proof.
    @Test
    func aKeptKeyWithALongTextIsAccepted() {
        let forge = ProofForge.es256, keys = ProofKeys(), verifier = ProofVerifier(keys: keys)
        let jwk = forge.jwk.dropLast() + #","kid":"\#(String(repeating: "k", count: 1_500))"}"#
        let proof = forge.proof(header: #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(jwk)}"#)
        for _ in 0..<4 { #expect(verifier.code(proof, boundTo: forge.thumbprint) == nil) }
        #expect(keys.count == 1 && keys.kept(forge.thumbprint, writtenAs: Array(jwk.utf8).span) == nil)
        #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil)
    }

    @Test
    func aRefusedProofLeavesNoKey() {
        let keys = ProofKeys(), verifier = ProofVerifier(keys: keys), forge = ProofForge(.es256)
        let forged = ProofForge.other.proof(header: #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(forge.jwk)}"#)
        for _ in 0..<4 { #expect(verifier.code(forged, boundTo: forge.thumbprint) == "proof_signature_invalid") }
        #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil && keys.count == 0)
    }

    @Test
    func theMemoryOfKeysIsBounded() {
        let keys = ProofKeys(capacity: 16), verifier = ProofVerifier(keys: keys)
        for _ in 0..<200 {
            let forge = ProofForge(.ed25519)
            for _ in 0..<3 { #expect(verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil) }
            #expect(keys.count <= 16)
        }
        #expect(keys.count > 8)
    }
}
