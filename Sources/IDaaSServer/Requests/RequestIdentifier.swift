#if IDaaS
package import Secrets

/// Names a request in the reply, the log and the audit trail.
package enum RequestIdentifier {
    /// The one that came with the request, where it is fit for a log line; a fresh one otherwise.
    package static func accepting(_ proposal: String?, randomness: Randomness) -> String {
        guard let proposal, isValid(proposal) else { return randomness.token(characters: 32, alphabet: .hexadecimal) }
        return proposal
    }

    /// 1 to 64 letters, digits, dots, hyphens and underscores.
    package static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "-._".utf8.contains(byte)
                }
            }
    }
}
#endif
