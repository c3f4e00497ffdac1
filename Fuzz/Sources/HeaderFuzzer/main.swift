import CFuzzDriver
import Foundation
import FuzzInput
import JWTCore

/// Fuzzes the decoded header. The token is not signed: the test covers all code before the key lookup.
let verifier = try TokenVerifier(keys: KeySet(jwks: #"{"keys":[]}"#), policy: ClaimsPolicy())

func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let token = Array((base64URL(UnsafeBufferPointer(start: start, count: count)) + ".e30.AA").utf8)
    _ = try? verifier.withVerified(token.span, now: 0) { $0.value.count }
    _ = try? verifier.withVerifiedPayload(token.span) { payload, _ in payload.count }
    return 0
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments) { fuzz($0, $1) })
