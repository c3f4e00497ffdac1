import Costs
import Fixtures
import Foundation
import JWKSCache
import JWTCore

/// The bounds on the cost of a token without a valid signature (Docs/Costs.md), compared with a failed signature check of the same verifier.
public enum CostRules {
    /// No token of at most 8 KB costs more than so many failed checks of ES256 by the best kernel.
    public static let mostChecks = 28
    /// No token costs more than a failed check and so many instructions for each of its bytes.
    public static let mostPerByte = 128

    /// The costliest families that a search over all of `HostileToken` found, by the way to verify, with their sizes.
    private static let cases: [(isRouted: Bool, size: Int, names: Set<String>)] = [
        (false, 8_192, ["header: critical names", "header: alike names", "header: a long name"]),
        (true, 8_192, ["payload: records, broken at its end", "payload: alike names", "header: critical names"]),
        (false, 16_384, ["header: critical names"]), (true, 16_384, ["payload: alike names"]),
    ]

    /// Counts each case and prints it. Counts nothing where the CPU is of another kind.
    public static func check() throws -> (count: Int, failed: Int) {
        let verifiers = try CostVerifiers()
        guard let base = verifiers.operation(verifiers.forged, isRouted: false).counts().instructions else { return (0, 0) }
        print("a failed check".padding(toLength: 52, withPad: " ", startingAt: 0) + String(format: "%13ld", base))
        var count = 0, failed = 0
        for (isRouted, size, names) in cases {
            let tokens = HostileToken.all(size: size, keyID: verifiers.keyID, issuer: verifiers.issuer).filter { names.contains($0.name) }
            count += names.count
            failed += names.count - tokens.count
            for token in tokens where !passes(token, verifiers.operation(token.bytes, isRouted: isRouted), isRouted, base) { failed += 1 }
        }
        return (count, failed)
    }

    /// Counts every family of `size` bytes, one by one: the search that chose the cases. It takes long, because each instruction is a step.
    public static func search(size: Int) throws {
        let verifiers = try CostVerifiers()
        guard let base = verifiers.operation(verifiers.forged, isRouted: false).counts().instructions else { return }
        for isRouted in [false, true] {
            for token in HostileToken.all(size: size, keyID: verifiers.keyID, issuer: verifiers.issuer) {
                _ = passes(token, verifiers.operation(token.bytes, isRouted: isRouted), isRouted, base)
            }
        }
    }

    private static func passes(_ token: HostileToken, _ operation: Operation, _ isRouted: Bool, _ base: Int) -> Bool {
        let cost = operation.counts().instructions ?? .max, bytes = token.bytes.count
        let name = "\(token.name), \(bytes) bytes\(isRouted ? ", routed" : "")"
        let row = name.padding(toLength: 52, withPad: " ", startingAt: 0) + String(format: "%13ld", cost)
        print(row + String(format: "  %.1f checks  %.1f a byte", Double(cost) / Double(base), Double(cost) / Double(bytes)))
        let isCheap = cost <= base + mostPerByte * bytes && (bytes > 8_192 || cost <= mostChecks * base)
        guard isCheap, operation.outcome != "valid" else {
            print("FAIL \(name): \(operation.outcome)")
            return false
        }
        return true
    }
}
