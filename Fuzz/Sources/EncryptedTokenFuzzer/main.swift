import FuzzInput
import JWTCore
import JWTDecryption

/// Fuzzes encrypted tokens: whole texts, and headers and contents that a sender encrypts. What opens has one text, the tag that libcrypto
/// makes under the same key, and the content that was encrypted; with one bit changed it does not open.
let decryptor = Decryptor(keys: Recipients.keys)

/// Takes what the other refuses: a missing `cty`, and `zip` up to a bound.
let lenient = {
    var limits = DecryptionLimits()
    limits.inflatedBytes = 4_096
    var decryptor = Decryptor(keys: Recipients.keys, limits: limits)
    decryptor.acceptsMissingContentType = true
    return decryptor
}()

let narrow = {
    var limits = DecryptionLimits()
    (limits.tokenBytes, limits.headerBytes, limits.candidateKeys) = (400, 90, 1)
    return Decryptor(keys: Recipients.keys, encryptions: [.a256GCM, .a128CBCHS256], limits: limits)
}()

/// Verifies the inner tokens, which have no claims to speak of.
let verifier = {
    var policy = ClaimsPolicy()
    policy.algorithms = [.hs256]
    policy.requiresExpiration = false
    return TokenVerifier(keys: Keys.set([Keys.hs256JWK]), policy: policy)
}()

@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replacePart(data, size, room, seed: seed, after: 2, by: [.encryptionHeader, nil])
}

Fuzzer.useLibcrypto()
Fuzzer.run { input in
    var reader = InputReader(input)
    let kind = Int(reader.byte()), place = Int(reader.byte())
    let header = reader.part(until: 0xff), content = Array(reader.rest)
    // Whole tokens come as the content.
    let token = Recipients.token(kind, header: header, content: content) ?? content
    let opened = Opening(decryptor, token), inLenient = Opening(lenient, token)
    precondition(Opening(decryptor, token) == opened, "a second decryption differs")
    precondition(opened.content == nil || Opening(lenient, token) == opened, "leniency changes a content")
    precondition(opened.content != nil || Opening(narrow, token).content == nil, "narrower limits open more")
    guard let found = inLenient.content else { return }
    precondition(found.count <= max(4_096, content.count), "more content than the bound")
    OpenedToken.check(token, found)
    if (1...8).contains(kind), kind > 4 || !OpenedToken.isCompressed(header) { precondition(found == content, "another content") }
    precondition(Opening(lenient, OpenedToken.changed(token, at: place)).content == nil, "a changed token opens")
    if opened.content != nil { checkNested(token, found) }
}

/// Decrypting and verifying in one is decrypting, then verifying.
func checkNested(_ token: [UInt8], _ inner: [UInt8]) {
    let nested = NestedVerifier(decryptor: decryptor, verifier: verifier)
    let whole = Verdict { () throws(VerificationError) in try nested.verify(token.span, now: 0) }
    let alone = Verdict { () throws(VerificationError) in try verifier.verify(inner.span, now: 0) }
    precondition(whole.isAccepted == alone.isAccepted, "an inner token is judged otherwise")
}
