import DPoP
import FuzzInput
import JWTCore

/// Fuzzes DPoP proofs: a URL, a header and claims, which the client's key signs. An accepted proof has the only signature of that key, and
/// jansson finds its method, token and time.
let client = Keys.ed25519
let token = "header.payload.signature"
let now: NumericDate = 1_700_000_000
let plain = ProofVerifier()
let nonces = ProofNonces(secrets: [Array(repeating: 7, count: 32)], label: "fuzz")

/// With fewer algorithms, less room and a nonce that no input can know.
let narrow = {
    var policy = ProofPolicy(), limits = ProofLimits()
    policy.algorithms = [.edDSA]
    (limits.proofBytes, limits.headerBytes, limits.tokenIDBytes, limits.members) = (700, 120, 16, 6)
    return ProofVerifier(policy: policy, limits: limits)
}()
let asking = {
    var policy = ProofPolicy()
    policy.nonces = nonces
    return ProofVerifier(policy: policy)
}()

@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replacePart(data, size, room, seed: seed, after: 1, by: [nil, .proofHeader, .proofClaims])
}

let thumbprint = {
    guard let key = Keys.set([Keys.jwk(client)]).keys.first?.thumbprint, let thumbprint = KeyThumbprint(key) else {
        preconditionFailure("a key without a thumbprint")
    }
    return thumbprint
}()

Fuzzer.useLibcrypto()
Fuzzer.run { input in
    var reader = InputReader(input)
    let isRaw = reader.byte() == 0xfe
    let url = reader.part(until: 0xff)
    NormalForm.check(url)
    guard let urlText = String(validating: url, as: UTF8.self) else { return }
    let header = reader.part(until: 0xff), payload = Array(reader.rest)
    let proof = isRaw ? payload : Keys.token(client, header: header, payload: payload)
    guard let text = String(validating: proof, as: UTF8.self) else { return }
    let first = Outcome(plain, text, urlText, thumbprint)
    precondition(Outcome(plain, text, urlText, thumbprint) == first, "a second verification differs")
    if first.isAccepted {
        check(proof, isRaw ? nil : header, isRaw ? nil : payload, urlText)
        let changed =
            proof.dropLast(2) + [proof[proof.count - 2] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")] + proof.suffix(1)
        precondition(
            !Outcome(plain, String(decoding: changed, as: UTF8.self), urlText, thumbprint).isAccepted, "another signature is accepted")
    }
    precondition(first.isAccepted || !Outcome(narrow, text, urlText, thumbprint).isAccepted, "narrower limits accept more")
    precondition(!Outcome(asking, text, urlText, thumbprint).isAccepted, "a nonce was guessed")
    // A proof for a request without a token needs no `ath` and may be of any key.
    precondition(!first.isAccepted || Outcome(plain, text, urlText, nil).isAccepted, "a token makes a proof good")
    let other = KeyThumbprint(hashing: "another key".utf8.span)
    precondition(other.map { !Outcome(plain, text, urlText, $0).isAccepted } ?? true, "a proof of another key")
}

/// An accepted proof, judged once more.
func check(_ proof: [UInt8], _ header: [UInt8]?, _ payload: [UInt8]?, _ url: String) {
    Witness.check(signed: proof, by: client)
    guard let header, let payload, Witness.reads(header), Witness.reads(payload) else { return }
    precondition(Witness.text("alg", in: header).map { ["EdDSA", "Ed25519"].contains(String(decoding: $0, as: UTF8.self)) } ?? false)
    precondition(Witness.text("htm", in: payload) == Array("GET".utf8), "another method")
    precondition(Witness.text("jti", in: payload).map { !$0.isEmpty && $0.count <= 256 } ?? false, "no jti")
    let hash = Base64URL.encode(Digest.sha256.bytes(of: token.utf8.span))
    precondition(Witness.text("ath", in: payload) == hash, "another token")
    let issuedAt = Witness.number("iat", in: payload) ?? 0
    precondition(issuedAt > 1_699_999_929 && issuedAt < 1_700_000_011, "another time")
    let stated = Witness.text("htu", in: payload) ?? []
    precondition(NormalizedURL(stated.span) != nil && NormalizedURL(stated.span) == NormalizedURL(url.utf8.span), "another URL")
}
