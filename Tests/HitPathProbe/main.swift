// Counts what one accepted token costs where times would not do: instructions, atomic read-modify-writes (each takes a cache line
// away from every other core) and system calls. A program of its own, single-stepped.

import CInstructionCount
import Foundation
import JWTCore
import JWTTestSupport

/// A source of another module than the verifier's, which the compiler cannot specialise for it in advance.
struct ForeignSource: KeySource {
    let keys: KeySet

    func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result { try body(keys) }
}

func policy(_ algorithm: SignatureAlgorithm) -> ClaimsPolicy {
    var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    policy.algorithms = [algorithm]
    policy.revokedTokenIDs = ["another"]
    return policy
}

/// Prints a row; ours must be free of what cores contend for.
func passes(_ name: String, _ verification: Stepped) -> Bool {
    guard let counts = verification.counts() else {
        print("hit path skipped: instructions cannot be stepped through here")
        print("0 passed, 0 failed, 1 skipped")
        exit(0)
    }
    let row = [counts.ours.instructions, counts.ours.atomics, counts.ours.syscalls, counts.libcrypto.instructions, counts.libcrypto.atomics]
    print(name.padding(toLength: 20, withPad: " ", startingAt: 0) + row.map { String(format: "%12ld", $0) }.joined())
    if verification.isAccepted && counts.ours.atomics == 0 && counts.ours.syscalls == 0 { return true }
    print("FAIL \(name): \(verification.isAccepted ? "atomics or system calls" : "refused")")
    for symbol in Stepped.places(counts) { print("     \(symbol)") }
    return false
}

var count = 0
var failed = 0
print("                    instructions     atomics    syscalls   libcrypto   its atomics")
let named = CommandLine.arguments.dropFirst().compactMap(SignatureAlgorithm.init(name:))
let algorithms: [SignatureAlgorithm] = named.isEmpty ? [.rs256, .es256, .edDSA, .ps256, .hs256] : named
for algorithm in algorithms {
    let forge = TokenForge(algorithm)
    let token = Array(forge.token().utf8)
    count += 1
    if !passes("\(algorithm)", OwnVerification(Hit(verifier: TokenVerifier(keys: forge.keySet, policy: policy(algorithm)), token: token))) { failed += 1 }
    // What differs is before the signature: no need to step through every libcrypto twice.
    guard algorithm == .rs256 || algorithm == .hs256 else { continue }
    let foreign = ForeignSource(keys: forge.keySet)
    count += 1
    if !passes("\(algorithm) foreign", ForeignVerification(Hit(verifier: TokenVerifier(keys: foreign, policy: policy(algorithm)), token: token))) { failed += 1 }
}
print("\(count - failed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
