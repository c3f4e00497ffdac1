import Costs
import Fixtures
import Foundation
import JWTCore

/// The time that refusals take, compared with the failed check of a token of the same length by the same verifier in the same minutes.
public enum CostTimes {
    /// The costliest rows of each measurement.
    private static let shown = 12

    /// Prints, for each algorithm or for the one called `name`, the costliest families of `size` bytes.
    public static func measure(size: Int, only name: String? = nil) throws {
        for algorithm in CostVerifiers.algorithms where name == nil || name == algorithm.name {
            let verifiers = try CostVerifiers(algorithm)
            var rows: [CostRow] = []
            for isRouted in [false, true] where !(isRouted && algorithm == .hs256) {
                for token in HostileToken.all(size: size, for: verifiers.target) {
                    rows.append(row(token.name, token.bytes, verifiers, isRouted, rounds: 400))
                }
            }
            print("\(algorithm.name), families of hostile tokens")
            show(rows)
        }
    }

    /// Prints the costliest of the tokens below `paths` for ES256 verifiers, each with another signature: those of vector files, and every
    /// other file as a token.
    public static func measure(corpora paths: [String]) throws {
        let verifiers = try CostVerifiers(), limit = TokenLimits.standard.tokenBytes
        var rows: [CostRow] = []
        for sample in try CostSample.all(below: paths) where sample.isToken && sample.bytes.count <= limit {
            for isRouted in [false, true] { rows.append(row(sample.name, sample.damaged.bytes, verifiers, isRouted, rounds: 9)) }
        }
        precondition(rows.allSatisfy { $0.outcome != "valid" }, "a damaged token was accepted")
        print("\(rows.count / 2) tokens of corpora")
        // A row of few rounds may have met an interruption of the machine.
        show(costliest(rows).map { row in repeated(row, verifiers) })
    }

    /// Prints the costliest JWK Sets below `paths` for each of their bytes, whether they have keys or are refused, and the largest one.
    public static func measure(documents paths: [String]) throws {
        let documents = try CostSample.all(below: paths).filter { !$0.isToken && !$0.bytes.isEmpty } + [CostSample.largestSet()]
        let rows = documents.map { sample in
            let time = medians([{ _ = try? KeySet(jwks: sample.bytes) }], rounds: 15)[0]
            return (sample.name, sample.bytes.count, time, time / Double(sample.bytes.count))
        }
        print("\(rows.count) JWK Sets")
        for (name, bytes, time, perByte) in rows.sorted(by: { $0.3 > $1.3 }).prefix(shown) {
            print("\(name), \(bytes) bytes".padding(toLength: 80, withPad: " ", startingAt: 0), terminator: "")
            print(String(format: "%10.1f us  %.2f us a byte", time / 1_000, perByte / 1_000))
        }
    }

    private static func row(
        _ name: String, _ token: [UInt8], _ verifiers: CostVerifiers, _ isRouted: Bool, rounds: Int
    ) -> CostRow {
        let forged = HostileToken.forged(size: token.count, for: verifiers.target)
        let hostile = verifiers.operation(token, isRouted: isRouted), check = verifiers.operation(forged.bytes, isRouted: isRouted)
        let times = medians([hostile.run, check.run], rounds: rounds)
        return CostRow(
            name: name, token: token, isRouted: isRouted, outcome: hostile.outcome, nanoseconds: times[0], checks: times[0] / times[1])
    }

    private static func repeated(_ row: CostRow, _ verifiers: CostVerifiers) -> CostRow {
        Self.row(row.name, row.token, verifiers, row.isRouted, rounds: 400)
    }

    private static func costliest(_ rows: [CostRow]) -> ArraySlice<CostRow> { rows.sorted { $0.checks > $1.checks }.prefix(shown) }

    private static func show(_ rows: [CostRow]) { for row in costliest(rows) { print(row) } }

    /// The medians of all in nanoseconds, run by turns.
    private static func medians(_ operations: [() -> Void], rounds: Int) -> [Double] {
        var times = [[Double]](repeating: [], count: operations.count)
        let warm = min(16, rounds / 2)
        for round in 0..<rounds + warm {
            for (place, run) in operations.enumerated() {
                let time = ContinuousClock().measure(run)
                if round >= warm { times[place].append(Double(time.components.attoseconds) / 1e9) }
            }
        }
        return times.map { $0.sorted()[rounds / 2] }
    }
}
