import Costs
import Fixtures
import Foundation
import JWKSCache
import JWTCore

/// The bounds on the cost of a token without a valid signature (Docs/Costs.md), compared with a failed signature check of the same verifier.
public enum CostRules {
    /// No token costs more than so many failed checks of a token of its length, ES256 by the best kernel.
    public static let mostChecks = 1.3

    /// The costliest families that a search over all of `HostileToken` found, by the way to verify, with their sizes.
    private static let cases: [(isRouted: Bool, size: Int, names: Set<String>)] = [
        (false, 8_192, ["header: alike plain names", "header: spaces", "header: wide text", "header: digits"]),
        (true, 8_192, ["payload: small records", "payload: escapes", "payload: alike long names", "payload: issuers among brackets"]),
        (false, 1_024, ["header: alike plain names", "header: records"]), (true, 1_024, ["payload: issuers among brackets"]),
        (false, 16_384, ["header: critical names"]), (true, 16_384, ["payload: alike names"]),
    ]

    /// Counts each case and prints it. Counts nothing where the CPU is of another kind.
    public static func check() throws -> (count: Int, failed: Int) {
        let verifiers = try CostVerifiers()
        guard Counts.areInstructionsComparable else { return (0, 0) }
        var count = 0, failed = 0
        for (isRouted, size, names) in cases {
            let tokens = HostileToken.all(size: size, keyID: verifiers.keyID, issuer: verifiers.issuer).filter { names.contains($0.name) }
            count += names.count
            failed += names.count - tokens.count
            for token in tokens where !passes(token, verifiers, isRouted) { failed += 1 }
        }
        return (count, failed)
    }

    /// Counts every family of `size` bytes, one by one: the search that chose the cases. It takes long, because each instruction is a step.
    public static func search(size: Int) throws {
        let verifiers = try CostVerifiers()
        for isRouted in [false, true] {
            for token in HostileToken.all(size: size, keyID: verifiers.keyID, issuer: verifiers.issuer) {
                _ = passes(token, verifiers, isRouted)
            }
        }
    }

    private static func passes(_ token: HostileToken, _ verifiers: CostVerifiers, _ isRouted: Bool) -> Bool {
        let bytes = token.bytes.count, operation = verifiers.operation(token.bytes, isRouted: isRouted)
        let forged = HostileToken.forged(size: bytes, keyID: verifiers.keyID, issuer: verifiers.issuer)
        let base = verifiers.operation(forged.bytes, isRouted: false)
        let cost = operation.counts().instructions ?? .max, check = base.counts().instructions ?? 1
        let name = "\(token.name), \(bytes) bytes\(isRouted ? ", routed" : "")", ratio = Double(cost) / Double(check)
        print(name.padding(toLength: 60, withPad: " ", startingAt: 0) + String(format: "%9ld of %ld  %.2f checks", cost, check, ratio))
        guard ratio <= mostChecks, operation.outcome != "valid", base.outcome == "signature_invalid" else {
            print("FAIL \(name): \(operation.outcome)")
            return false
        }
        return true
    }
}
