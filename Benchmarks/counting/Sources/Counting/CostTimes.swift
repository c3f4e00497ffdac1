import Costs
import Fixtures
import Foundation
import JWTCore

/// The time that each family of hostile tokens takes, compared with the failed check of a token of the same length in the same minutes.
public enum CostTimes {
    private static let rounds = 400

    /// Prints the costliest families of `size` bytes first.
    public static func measure(size: Int) throws {
        let verifiers = try CostVerifiers()
        var rows: [(name: String, bytes: Int, nanoseconds: Double, ratio: Double)] = []
        for isRouted in [false, true] {
            for token in HostileToken.all(size: size, keyID: verifiers.keyID, issuer: verifiers.issuer) {
                let bytes = token.bytes.count
                let forged = HostileToken.forged(size: bytes, keyID: verifiers.keyID, issuer: verifiers.issuer)
                let hostile = verifiers.operation(token.bytes, isRouted: isRouted)
                let times = medians(hostile, verifiers.operation(forged.bytes, isRouted: false))
                rows.append((token.name + (isRouted ? ", routed" : ""), bytes, times.0, times.0 / times.1))
            }
        }
        for row in rows.sorted(by: { $0.ratio > $1.ratio }) {
            let name = "\(row.name), \(row.bytes) bytes".padding(toLength: 70, withPad: " ", startingAt: 0)
            print(name + String(format: "%8.2f us  %.2f failed checks of that length", row.nanoseconds / 1_000, row.ratio))
        }
    }

    /// The medians of both in nanoseconds, run by turns.
    private static func medians(_ first: Operation, _ second: Operation) -> (Double, Double) {
        var times: [[Double]] = [[], []]
        for round in 0..<rounds + 16 {
            for (place, operation) in [first, second].enumerated() {
                let time = ContinuousClock().measure { operation.run() }
                if round >= 16 { times[place].append(Double(time.components.attoseconds) / 1e9) }
            }
        }
        return (times[0].sorted()[rounds / 2], times[1].sorted()[rounds / 2])
    }
}
