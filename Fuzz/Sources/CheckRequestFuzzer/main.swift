import CFuzzDriver
import Foundation
import GatewayServer

/// Fuzzes Envoy's messages: each is refused, or gives facts with a method and a target, whose bytes are all in the message.
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let facts = try? CheckRequest(decoding: bytes.span).facts else { return 0 }
    precondition(!facts.method.isEmpty && !facts.target.isEmpty)
    // U+FFFD has three bytes and may stand for one of the message, in values only.
    let size = facts.fields.reduce(facts.method.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count / 3 }
    precondition(size <= count && facts.fields.count <= 1_024 && facts.context.count <= 256)
    return 0
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments) { fuzz($0, $1) })
