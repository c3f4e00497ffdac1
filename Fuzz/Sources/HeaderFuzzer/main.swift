import CFuzzDriver
import Foundation
import FuzzInput
import JWTCore

/// Any bytes as a decoded header. The token around it is never signed: everything before the key is reached.
let verifier = TokenVerifier(keys: try! KeySet(jwks: #"{"keys":[]}"#), policy: ClaimsPolicy())

func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let token = Array((base64URL(UnsafeBufferPointer(start: start, count: count)) + ".e30.AA").utf8)
    _ = try? verifier.withVerified(token.span, now: 0) { $0.value.count }
    _ = try? verifier.withVerifiedPayload(token.span) { payload, _ in payload.count }
    return 0
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments) { fuzz($0, $1) })
