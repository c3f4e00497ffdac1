import CFuzzDriver
import Foundation
import JWTCore

/// Fuzzes whole tokens: each is refused with a code or, if it comes from the corpus, accepted. HS256 keeps signature arithmetic cheap.
let verifier = try TokenVerifier(
    keys: KeySet(jwks: #"{"keys":[{"kty":"oct","alg":"HS256","kid":"k","k":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}]}"#),
    policy: {
        var policy = ClaimsPolicy()
        policy.algorithms = AlgorithmSet(SignatureAlgorithm.all)
        return policy
    }())

func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = try? verifier.withVerified(bytes.span, now: 1_700_000_100) { $0.value.count }
    _ = try? verifier.withVerifiedPayload(bytes.span) { payload, _ in payload.count }
    _ = try? UnverifiedClaims(reading: bytes.span)
    return 0
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments) { fuzz($0, $1) })
