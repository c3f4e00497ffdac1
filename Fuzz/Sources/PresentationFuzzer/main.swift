import FuzzInput
import JWTCore
import SelectiveDisclosure

/// Fuzzes presentations of SD-JWTs: whole texts, and an issuer's claims with disclosures and a holder's claims. The claims of an accepted one
/// are those that RFC 9901 section 7.1 gives, put together here over trees; what decides validity is what the issuer signed.
let credential = {
    var policy = ClaimsPolicy()
    policy.algorithms = [.hs256]
    policy.issuers = ["https://idp.example"]
    return policy
}()

let unbound = PresentationVerifier(keys: Keys.set([Keys.hs256JWK]), policy: PresentationPolicy(claims: credential, keyBinding: .absent))
let bound = PresentationVerifier(
    keys: Keys.set([Keys.hs256JWK]),
    policy: PresentationPolicy(
        claims: credential, keyBinding: .required(KeyBindingPolicy(audience: "https://verifier.example", nonce: "n-1"))))

let narrow = {
    var limits = PresentationLimits()
    (limits.bytes, limits.disclosures, limits.disclosureBytes) = (600, 2, 60)
    return PresentationVerifier(keys: Keys.set([Keys.hs256JWK]), policy: unbound.policy, limits: limits)
}()
let now: NumericDate = 1_700_000_100

@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replacePart(data, size, room, seed: seed, after: 1, by: [.disclosures])
}

Fuzzer.useLibcrypto()
Fuzzer.run { input in
    var reader = InputReader(input)
    let kind = reader.byte()
    guard kind != 0xfe else { return checkText(Array(reader.rest)) }
    var parts: [[UInt8]] = []
    while !reader.isAtEnd, parts.count < 12 { parts.append(reader.part(until: 0xff)) }
    let holder = kind & 1 == 1 ? parts.popLast() : nil
    let made = Presentation(payload: parts.first ?? [], disclosures: Array(parts.dropFirst()), holder: holder)
    let outcome = Outcome(holder == nil ? unbound : bound, made.text)
    precondition(!Outcome(holder == nil ? bound : unbound, made.text).isAccepted, "the presentation decides about key binding")
    if case .accepted(let claims, let count) = outcome {
        precondition(count == made.disclosures.count, "another number of disclosures")
        precondition(claims == made.expectedClaims, "other claims")
        made.checkWhatIsPlain(claims)
        made.checkHolder()
        precondition(
            !Outcome(holder == nil ? unbound : bound, made.changed(at: Int(kind))).isAccepted, "a changed presentation is accepted")
    }
    precondition(outcome.isAccepted || !Outcome(narrow, made.text).isAccepted, "narrower limits accept more")
}

func checkText(_ text: [UInt8]) {
    let outcome = Outcome(unbound, text)
    precondition(Outcome(unbound, text) == outcome, "a second verification differs")
    if outcome.isAccepted { Witness.check(signed: Array(text.prefix { $0 != UInt8(ascii: "~") }), by: Keys.hs256) }
    _ = Outcome(bound, text)
}
