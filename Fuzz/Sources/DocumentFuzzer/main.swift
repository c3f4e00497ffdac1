import FuzzInput
import JWSDocuments
import JWTCore

/// Fuzzes documents in JWS JSON serialization: whole texts, and headers that a key signs. Each signature that holds is the only one that its
/// key makes; a detached payload, and the other serialization, make no difference.
let keys = Keys.set([Keys.jwk(Keys.ed25519), Keys.hs256JWK])
let verifiers = [SignatureRequirement.all, .one].map { DocumentVerifier(keys: keys, policy: DocumentPolicy(requirement: $0)) }
let typed = DocumentVerifier(keys: keys, policy: DocumentPolicy(requirement: .all, signers: ["ed"], types: ["manifest+jws"]))
let lenient = {
    var policy = DocumentPolicy(requirement: .all)
    policy.allowsUnprotectedAlgorithm = true
    policy.algorithms = AlgorithmSet(SignatureAlgorithm.all)
    return DocumentVerifier(keys: keys, policy: policy)
}()
let narrow = {
    var limits = DocumentLimits()
    (limits.bytes, limits.signatures) = (400, 1)
    return DocumentVerifier(keys: keys, policy: verifiers[0].policy, limits: limits)
}()

@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replacePart(data, size, room, seed: seed, after: 1, by: [.signedDocument])
}

Fuzzer.useLibcrypto()
Fuzzer.run { input in
    var reader = InputReader(input)
    let kind = reader.byte()
    let text = kind == 0xfe ? Array(reader.rest) : WrittenDocument.text(kind, &reader)
    let all = Outcome(verifiers[0], text), one = Outcome(verifiers[1], text)
    precondition(Outcome(verifiers[0], text) == all, "a second verification differs")
    precondition(all.held.isEmpty || all.refused.isEmpty, "all signatures hold, and one does not")
    precondition(one.held.count <= 1, "one signature of several")
    precondition(all.isAccepted || !Outcome(narrow, text).isAccepted, "narrower limits accept more")
    precondition(all.isAccepted || !Outcome(typed, text).isAccepted, "a type makes a document good")
    precondition(!all.isAccepted || Outcome(lenient, text).isAccepted, "leniency refuses a document")
    for (outcome, verifier) in [(all, verifiers[0]), (one, verifiers[1]), (Outcome(lenient, text), lenient)] where outcome.isAccepted {
        WrittenDocument.check(text, outcome, verifier)
    }
}
