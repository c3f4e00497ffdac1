// Counts the cost of one accepted token in units more exact than time: instructions, atomic read-modify-writes (each takes a cache line
// from every other core) and system calls. A separate, single-stepped program.

import CInstructionCount
import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Program

/// A source in another module than the verifier, which the compiler cannot specialise for it in advance.
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

/// Prints a row; our part must have no operations that cores contend for, or no more than the known number.
func passes(_ name: String, _ verification: Stepped) -> Bool {
    guard let counts = verification.counts() else {
        print("hit path skipped: instructions cannot be stepped through here")
        print("0 passed, 0 failed, 1 skipped")
        exit(0)
    }
    let (ours, libcrypto) = (counts.ours, counts.libcrypto)
    let row = [ours.instructions, ours.atomics, ours.syscalls, libcrypto.instructions, libcrypto.atomics]
    print(name.padding(toLength: 20, withPad: " ", startingAt: 0) + row.map { String(format: "%12ld", $0) }.joined())
    if verification.isAccepted && ours.atomics == 0 && ours.syscalls == 0 { return true }
    print("FAIL \(name): \(verification.isAccepted ? "atomics or system calls" : "refused")")
    for symbol in Stepped.places(counts) { print("     \(symbol)") }
    return false
}

/// The key cache: its set is fetched once, from a test transport, and then read by the cache's own clock.
func remote() async -> [Bool] {
    let issuer = "https://idp.example", forge = TokenForge(.es256), transport = ScriptedTransport()
    transport.answer("\(issuer)/jwks", "{\"keys\":[\(forge.jwk)]}")
    let keys = RemoteKeySet(.jwks(url: "\(issuer)/jwks"), transport: transport)
    let others = (0..<1_000).map { IssuerConfiguration("https://idp-\($0).example", policy: policy(.es256)) }
    var configuration = IssuerConfiguration(issuer, source: .jwks(url: "\(issuer)/jwks"), policy: policy(.es256))
    configuration.isRequired = true
    let issuers = TrustedIssuers(others + [configuration], transport: transport)
    guard await keys.ready(within: .seconds(10)), await issuers.ready(within: .seconds(10)) else { return [false] }
    let token = Array(forge.token().utf8), verifier = TokenVerifier(keys: keys, policy: policy(.es256))
    return [
        passes("ES256 remote", RemoteVerification(Hit(verifier: verifier, token: token))),
        passes("ES256 of 1,001", RoutedVerification(RoutedHit(issuers: issuers, token: token))),
    ]
}

// Kernels verify every token that is single-stepped.
KeyTables.shared.isEager = true
var count = 0
var failed = 0
print("                    instructions     atomics    syscalls   libcrypto   its atomics")
let named = ProgramArguments.orExit(unless: Engine.fault).compactMap(SignatureAlgorithm.init(name:))
let algorithms: [SignatureAlgorithm] = named.isEmpty ? [.rs256, .es256, .edDSA, .ps256, .hs256] : named
for algorithm in algorithms {
    let forge = TokenForge(algorithm)
    let token = Array(forge.token().utf8)
    let own = TokenVerifier(keys: forge.keySet, policy: policy(algorithm))
    var outcomes = [passes("\(algorithm)", OwnVerification(Hit(verifier: own, token: token)))]
    if algorithm == .es256 {
        let cached = own.caching(in: VerifiedTokenCache(budget: 1 << 20))
        outcomes.append(passes("\(algorithm) kept", OwnVerification(Hit(verifier: cached, token: token))))
    }
    // The difference is before the signature: no need to step through libcrypto twice.
    if algorithm == .rs256 || algorithm == .hs256 {
        let foreign = TokenVerifier(keys: ForeignSource(keys: forge.keySet), policy: policy(algorithm))
        outcomes.append(passes("\(algorithm) foreign", ForeignVerification(Hit(verifier: foreign, token: token))))
    }
    if algorithm == .hs256 { outcomes += await remote() }
    count += outcomes.count
    failed += outcomes.count { !$0 }
}
count += 1
failed += HostileNames.costTheSame() ? 0 : 1
print("\(count - failed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
