internal import JWTCore

/// The commands of a provider, one a line, each with an answer of one line: for tests in other languages, and for demonstrations.
package struct ProviderConsole {
    /// The largest command in bytes.
    package static let maximumBytes = 65_536
    private let provider: LoopbackProvider

    /// - Throws: if the system gives no socket.
    package init() throws { provider = try LoopbackProvider() }

    package var issuer: String { provider.issuer.identifier }

    /// Runs a command: `token`, `token KID`, `claims JSON`, `rotate`, `remove KID`, `down`, `up` or `requests`.
    package func answer(to line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("claims", .some): return (try? provider.issuer.idToken(merging: String(line.drop { $0 != "{" }))) ?? "no such object"
        case ("token", let name): return (try? provider.issuer.idToken(keyID: name)) ?? "no such key"
        case ("rotate", nil): return rotated
        case ("remove", let name?): return provider.issuer.remove(name) ? name : "no such key"
        case ("down", nil): provider.issuer.isUp = false
        case ("up", nil): provider.issuer.isUp = true
        case ("requests", nil): return "\(provider.issuer.keyRequests)"
        default: return "no such command"
        }
        return words[0]
    }

    /// Makes a new current key, of the other algorithm, and returns its name.
    private var rotated: String {
        let isRSA = (try? provider.issuer.key())?.algorithm == .rs256
        return (try? provider.issuer.rotate(to: isRSA ? .es256 : .rs256))?.keyID ?? "no such key"
    }
}
