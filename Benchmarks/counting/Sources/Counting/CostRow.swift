import Foundation

/// What the refusal of one token took.
struct CostRow: CustomStringConvertible {
    let name: String
    let token: [UInt8]
    let isRouted: Bool
    let outcome: String
    let nanoseconds: Double
    /// In failed checks of a token of the same length.
    let checks: Double

    var description: String {
        "\(name)\(isRouted ? ", routed" : ""), \(token.count) bytes".padding(toLength: 80, withPad: " ", startingAt: 0)
            + String(format: "%8.2f us  %.2f failed checks of that length", nanoseconds / 1_000, checks)
    }
}
