import CFuzzDriver
import Foundation
import FuzzInput
import JWTCore

/// Fuzzes the decoded payload: reads it as unverified claims and visits every value.
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

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments) { fuzz($0, $1) })
