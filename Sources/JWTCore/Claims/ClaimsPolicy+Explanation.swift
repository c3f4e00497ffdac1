extension ClaimsPolicy {
    /// The error's description, and what this policy requires instead: the name of the missing claim, the issuers, the audiences, the
    /// scopes. For the program's own logs: nothing of it comes from a token, and no nonce, subject or other value of one login is in it.
    public func explanation(of error: VerificationError) -> String {
        guard let requirement = requirement(brokenBy: error) else { return error.description }
        return "\(error.description); \(requirement)"
    }

    private func requirement(brokenBy error: VerificationError) -> String? {
        switch error.code {
        case .missingClaim: name(missingIn: error).map { "the policy requires the claim \(String(reflecting: $0))" }
        case .issuerMismatch: Self.list(issuers).map { "the policy expects \($0)" }
        case .audienceMismatch: Self.list(audiences).map { "the policy expects \($0)" }
        case .insufficientScope: Self.list(scopes, "and").map { "the policy requires \($0)" }
        case .algorithmNotAllowed: "the policy allows \(algorithms.algorithms.map(\.name).joined(separator: ", "))"
        case .typeMismatch: types.flatMap { Self.list($0) }.map { "the policy allows \($0)" }
        case .tooOld: maximumAge.map { "the policy allows an age of \($0.components.seconds) s" }
        default: nil
        }
    }

    private func name(missingIn error: VerificationError) -> String? {
        let place = Int(error.missingName) - 1
        return required.others.indices.contains(place) ? required.others[place] : nil
    }

    /// At most eight names, quoted; nil without names.
    private static func list(_ names: [String], _ word: String = "or") -> String? {
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(8).map { String(reflecting: $0) }.joined(separator: " \(word) ")
        return names.count > 8 ? "\(shown) \(word) \(names.count - 8) more" : shown
    }
}
