import FuzzInput
import JWTCore

/// Fuzzes the decoded header of a token with a valid HMAC: all code up to the key, and the key's choice among good and bad ones.
let keys = Keys.set([
    Keys.hs256JWK, Keys.jwk(Keys.ed25519), Keys.jwk(Keys.es256),
    #"{"kty":"oct","kid":"twin","k":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}"#,
    #"{"kty":"oct","kid":"twin","k":"AlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}"#,
    #"{"kty":"oct","kid":"weak","k":"Wlpa"}"#, #"{"kty":"EC","crv":"P-256","kid":"broken","x":"AA","y":"AA"}"#,
    #"{"kty":"oct","use":"enc","kid":"enc","k":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}"#,
])

/// Policies whose algorithms and types differ.
let verifiers = [
    (AlgorithmSet.symmetric, [String]?.none), ([.hs256], ["", "JWT"]), (.symmetric, ["at+jwt"]), (.asymmetric, nil),
    (AlgorithmSet(SignatureAlgorithm.all), nil),
].map { algorithms, types in
    var policy = ClaimsPolicy()
    policy.algorithms = algorithms
    policy.types = types
    policy.requiresExpiration = false
    var limits = TokenLimits()
    limits.candidateKeys = 2
    return TokenVerifier(keys: keys, policy: policy, limits: limits)
}

@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 1, by: .header)
}

Fuzzer.run { input in
    var reader = InputReader(input)
    let verifier = verifiers[reader.number(below: verifiers.count)], header = Array(reader.rest)
    let token = Keys.token(Keys.hs256, header: header, payload: Array("{}".utf8))
    let verdict = Verdict { () throws(VerificationError) in try verifier.verify(token.span, now: 0) }
    if verdict.isAccepted { Witness.check(header: header, algorithm: "HS256") }
    do throws(VerificationError) {
        let isUnencoded = try verifier.withVerifiedPayload(token.span) { _, header in header.isUnencoded }
        precondition(!(isUnencoded && verdict.isAccepted), "a JWT with an unencoded payload")
    } catch {
        ReachedCodes.note(error)
        precondition(!verdict.isAccepted, "a JWT that is no JWS")
    }
    let other = Keys.token(Keys.ed25519, header: header, payload: Array("{}".utf8))
    _ = Verdict { () throws(VerificationError) in try verifier.verify(other.span, now: 0) }
}
