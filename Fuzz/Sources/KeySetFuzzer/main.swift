import CFuzzDriver
import Foundation
import JWTCore

/// Fuzzes key documents: JWK Set, JWK, PEM or DER.
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let keys = try? KeySet(document: bytes.span) else { return 0 }
    for key in keys.keys { _ = (key.thumbprint, key.unusableReason?.name, key.algorithms.algorithms) }
    _ = try? TokenVerifier(keys: keys, policy: ClaimsPolicy()).verify("eyJhbGciOiJFUzI1NiJ9.e30.AA")
    return 0
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments) { fuzz($0, $1) })
