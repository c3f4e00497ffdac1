import JWTCore

/// The number of tokens with each outcome.
struct OutcomeCounts: Sendable {
    var valid = 0
    var refused: [VerificationError.Code: Int] = [:]

    var isRefused: Bool { !refused.isEmpty }

    mutating func add(_ other: Self) {
        valid += other.valid
        refused.merge(other.refused, uniquingKeysWith: +)
    }

    /// As `5 tokens: 1 valid, 4 refused (3 malformed_token, 1 expired)`, the most frequent refusals first.
    var summary: String {
        let refusals = refused.values.reduce(0, +), tokens = valid + refusals
        let most = refused.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
        let reasons = most.map { "\($0.value) \($0.key.name)" }.joined(separator: ", ")
        let text = "\(tokens) \(tokens == 1 ? "token" : "tokens"): \(valid) valid, \(refusals) refused"
        return refusals > 0 ? "\(text) (\(reasons))" : text
    }
}

/// The lines of the outcomes.
enum Outcome {
    static let valid = Array("valid\n".utf8)
    /// Each code's name is made once, not for every token.
    static let names = Dictionary(uniqueKeysWithValues: VerificationError.Code.all.map { ($0, Array("\($0.name)\n".utf8)) })
}
