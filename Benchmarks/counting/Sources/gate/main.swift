// Counts the work of each operation and compares it with Thresholds/. Counts depend on the code and not on the load of the machine, so
// a test may fail on them.
//   gate [--update]
//   gate --costs SIZE        counts the instructions of every family of hostile tokens
//   gate --times SIZE [ALG]  times them, for verifiers of ES256, RS256, EdDSA and HS256, or of one of these
//   gate --corpora PATH…     times the tokens of vector files and corpora, and their JWK Sets

import Counting
import Foundation
import JWTCore

guard Counts.work else {
    print("counts skipped: allocations and retains cannot be counted in this build")
    print("0 passed, 0 failed, 1 skipped")
    exit(0)
}

guard !CommandLine.arguments.isEmpty else {
    print("FAIL: the arguments of this program cannot be read")
    exit(2)
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--costs", let size = Int(CommandLine.arguments[2]) {
    try CostRules.search(size: size)
    exit(0)
}

if (3...4).contains(CommandLine.arguments.count), CommandLine.arguments[1] == "--times", let size = Int(CommandLine.arguments[2]) {
    try CostTimes.measure(size: size, only: CommandLine.arguments.dropFirst(3).first)
    exit(0)
}

if CommandLine.arguments.count >= 3, CommandLine.arguments[1] == "--corpora" {
    let paths = Array(CommandLine.arguments.dropFirst(2))
    try CostTimes.measure(corpora: paths)
    try CostTimes.measure(documents: paths)
    exit(0)
}

let thresholds = Thresholds()
let isUpdate = CommandLine.arguments.dropFirst() == ["--update"]
var failures = 0
let operations = try Operation.all()
let isForced = ProcessInfo.processInfo.environment["ASSAY_ENGINE"] != nil
if Counts.areInstructionsComparable, !isForced, Engine.tier != .ifma {
    print("FAIL: this CPU has all that kernels want, and the engine is at \(Engine.tier.name)")
    failures += 1
}
if !Counts.areInstructionsComparable { print("instructions skipped: this CPU is of another kind than they were counted on") }
print("                       allocations     retains    releases  instructions   libcrypto's")
for operation in operations {
    let counts = operation.counts()
    let row = [counts.allocations, counts.retains, counts.releases, counts.instructions ?? 0, counts.libcryptoInstructions]
    print(operation.name.padding(toLength: 21, withPad: " ", startingAt: 0) + row.map { String(format: "%13ld", $0) }.joined())
    if isUpdate { try thresholds.write(counts, for: operation.name) }
    let faults =
        (operation.isAsExpected ? [] : ["expected \(operation.expected), got \(operation.outcome)"])
        + thresholds.faults(of: counts, for: operation.name)
    for fault in faults { print("FAIL \(operation.name): \(fault)") }
    failures += faults.isEmpty ? 0 : 1
}
let costs = try CostRules.check()
failures += costs.failed
print("\(operations.count + costs.count - failures) passed, \(failures) failed")
exit(failures == 0 ? 0 : 1)
