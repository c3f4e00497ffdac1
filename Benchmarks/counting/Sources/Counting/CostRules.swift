import Costs
import Fixtures
import Foundation
import JWKSCache
import JWTCore

/// The bounds on the cost of a token without a valid signature (Docs/Costs.md), compared with a failed signature check of the same verifier.
public enum CostRules {
    /// No token costs more than so many failed checks of a token of its length, ES256 by the best kernel. Where SHA-256 is fastest by the
    /// SHA instructions alone (AMD), a check needs a quarter fewer instructions, and the rest of a token weighs more.
    public static let mostChecks = 1.40

    /// No token of any size costs more instructions for each of its bytes, beyond the failed check of a short token.
    public static let mostInstructionsPerByte = 24.0

    /// The length of a short token, about that of an id_token with few claims.
    private static let shortSize = 400

    /// The costliest families that a search over all of `HostileToken` found, by the way to verify, with their sizes.
    private static let cases: [(isRouted: Bool, size: Int, names: Set<String>)] = [
        (
            false, 8_192,
            ["header: alike plain names", "header: spaces", "header: wide text", "header: digits", "header: a plain long key id"]
        ),
        (true, 8_192, ["payload: small records", "payload: escapes", "payload: alike long names", "payload: issuers among brackets"]),
        (false, 1_024, ["header: alike plain names", "header: records"]), (true, 1_024, ["payload: issuers among brackets"]),
        (false, 16_384, ["header: critical names"]), (true, 16_384, ["payload: alike names"]),
    ]

    /// Counts each case and prints it. Counts nothing where the CPU is of another kind.
    public static func check() throws -> (count: Int, failed: Int) {
        guard Counts.areInstructionsComparable else { return (0, 0) }
        let verifiers = try CostVerifiers(), short = verifiers.check(of: shortSize)
        var count = 0, failed = 0
        for (isRouted, size, names) in cases {
            let tokens = HostileToken.all(size: size, for: verifiers.target).filter { names.contains($0.name) }
            count += names.count
            failed += names.count - tokens.count
            for token in tokens where !passes(token, verifiers, isRouted, short) { failed += 1 }
        }
        for token in HostileToken.overlong {
            count += 1
            if !passes(token, verifiers, false, short) { failed += 1 }
        }
        for (others, outcome) in [(TokenLimits.standard.candidateKeys - 1, "signature_invalid"), (7, "ambiguous_key")] {
            count += 1
            if try !candidatesPass(others: others, outcome) { failed += 1 }
        }
        return (count, failed)
    }

    /// A token without a `kid` costs a check for each key that fits it, and none if more keys fit than are tried.
    private static func candidatesPass(others: Int, _ outcome: String) throws -> Bool {
        let verifiers = try CostVerifiers(others: others), candidates = outcome == "ambiguous_key" ? 1 : Double(others + 1)
        let token = HostileToken.unnamed(size: shortSize, for: verifiers.target).bytes
        let operation = verifiers.operation(token, isRouted: false), cost = operation.counts().instructions ?? .max
        let ratio = Double(cost) / Double(verifiers.check(of: token.count))
        let name = "no kid, \(others + 1) keys, \(token.count) bytes"
        print(name.padding(toLength: 60, withPad: " ", startingAt: 0) + String(format: "%9ld  %.2f checks", cost, ratio))
        guard ratio > candidates - 1, ratio <= candidates, operation.outcome == outcome else {
            print("FAIL \(name): \(operation.outcome)")
            return false
        }
        return true
    }

    /// Counts every family of `size` bytes, one by one: the search that chose the cases. It takes long, because each instruction is a step.
    public static func search(size: Int) throws {
        let verifiers = try CostVerifiers(), short = verifiers.check(of: shortSize)
        for isRouted in [false, true] {
            for token in HostileToken.all(size: size, for: verifiers.target) {
                _ = passes(token, verifiers, isRouted, short)
            }
        }
    }

    private static func passes(_ token: HostileToken, _ verifiers: CostVerifiers, _ isRouted: Bool, _ short: Int) -> Bool {
        let bytes = token.bytes.count, operation = verifiers.operation(token.bytes, isRouted: isRouted)
        // Sizes that differ by a few bytes share a check, which is the cheaper for being shorter.
        let cost = operation.counts().instructions ?? .max, check = verifiers.check(of: bytes / 64 * 64)
        let name = "\(token.name), \(bytes) bytes\(isRouted ? ", routed" : "")"
        let ratio = Double(cost) / Double(check), perByte = max(0, Double(cost - short) / Double(bytes))
        print(
            name.padding(toLength: 60, withPad: " ", startingAt: 0)
                + String(format: "%9ld of %ld  %.2f checks  %.1f a byte", cost, check, ratio, perByte))
        guard ratio <= mostChecks, perByte <= mostInstructionsPerByte, operation.outcome != "valid" else {
            print("FAIL \(name): \(operation.outcome)")
            return false
        }
        return true
    }
}
