import FuzzInput
import JWTCore

/// Fuzzes claims behind a valid signature, under policies that together have every rule. A token that is accepted is judged once more by
/// another reader, and every way to verify it says the same.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 2, by: .claims)
}

let cases = Fuzzer.lasting { PolicyCase.all }
let headers = [
    #"{"alg":"HS256","kid":"hs"}"#, #"{"alg":"HS256","typ":"JWT","kid":"hs"}"#, #"{"alg":"HS256","typ":"at+jwt"}"#,
    #"{"alg":"HS256","typ":"application\/at+jwt"}"#,
].map { Array($0.utf8) }

Fuzzer.run { input in
    var reader = InputReader(input)
    let policy = cases[reader.number(below: cases.count)], header = headers[reader.number(below: headers.count)]
    let payload = Array(reader.rest), token = Keys.token(Keys.hs256, header: header, payload: payload)
    let verdict = policy.verdict(token)
    if verdict.isAccepted {
        Witness.check(
            payload: payload, issuer: policy.only(policy.rules.issuers), audience: policy.only(policy.rules.audiences),
            now: Double(PolicyCase.now.seconds), leeway: Double(policy.rules.leeway.components.seconds))
    }
    precondition(policy.verdict(token) == verdict, "a second verification differs")
    precondition(policy.batched(token) == verdict, "a batch differs")
    precondition(policy.routed(token) == verdict || policy.refusesByRoute(token, verdict), "the route differs")
    precondition(policy.lent(token) == verdict, "lent claims differ")
    if case .refused(let error) = verdict {
        let text = policy.verifier.explanation(of: error, token: token, now: PolicyCase.now)
        precondition(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "an explanation ends its line")
    }
}
