import CFuzzDriver
import Foundation
import JWTCore

/// Any bytes as a decoded payload, read as unverified claims and walked through to the end.
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let token = Array(("e30." + base64URL(UnsafeBufferPointer(start: start, count: count)) + ".").utf8)
    guard let claims = try? UnverifiedClaims(reading: token.span) else { return 0 }
    walk(claims.value)
    return 0
}

func walk(_ value: borrowing JSONValue) {
    _ = (value.string?.utf8, value.number?.int64, value.number?.double, value.date, value.bool)
    value.forEachElement { walk($0) }
    value.forEachMember { name, value in
        precondition(value.raw.count >= 0 && name.equals(name.string), "a name differs from itself")
        walk(value)
    }
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
