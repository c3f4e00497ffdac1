import CFuzzDriver
import Foundation
import JWTCore

/// Any bytes as a decoded header. The token around it is never signed: everything before the key is reached.
let verifier = TokenVerifier(keys: try! KeySet(jwks: #"{"keys":[]}"#), policy: ClaimsPolicy())

func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let token = Array((base64URL(UnsafeBufferPointer(start: start, count: count)) + ".e30.AA").utf8)
    _ = try? verifier.withVerified(token.span, now: 0) { $0.value.count }
    _ = try? verifier.withVerifiedPayload(token.span) { payload, _ in payload.count }
    return 0
}

/// Unpadded base64url, as the library does not export it.
func base64URL(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    for index in stride(from: 0, to: bytes.count, by: 3) {
        let rest = min(3, bytes.count - index)
        var word = 0
        for offset in 0..<3 { word = word << 8 | (offset < rest ? Int(bytes[index + offset]) : 0) }
        for character in 0...rest { text.append(alphabet[word >> (18 - 6 * character) & 63]) }
    }
    return text
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments) { fuzz($0, $1) })
