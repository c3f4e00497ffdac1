package import Secrets

/// Identifies a request in the reply, the log and the audit trail.
package enum RequestIdentifier {
    /// The identifier in the request if it is valid; otherwise a new one.
    package static func accepting(_ proposal: String?, randomness: Randomness) -> String {
        guard let proposal, isValid(proposal) else { return randomness.token(characters: 32, alphabet: .hexadecimal) }
        return proposal
    }

    /// A UUID (RFC 9562 section 4), with or without hyphens. Any other text could be a phone number or a token, and must not be logged.
    package static func isValid(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        return [[32], [8, 4, 4, 4, 12]].contains(groups) && text.allSatisfy { $0 == "-" || $0.isASCII && $0.isHexDigit }
    }
}
