import CFuzzDriver
import Foundation
import JWTCore

/// Any bytes as a token: refused with a code or, for the corpus's own, accepted. HS256, so that a run is not spent on arithmetic.
let verifier = TokenVerifier(
    keys: try! KeySet(jwks: #"{"keys":[{"kty":"oct","alg":"HS256","kid":"k","k":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}]}"#),
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
