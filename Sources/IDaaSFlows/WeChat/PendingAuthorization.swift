internal import IDaaSWire
internal import Secrets

/// An authorisation request without an answer yet. It is stored, because WeChat may open the program anew.
public struct PendingAuthorization: Codable, Hashable, Sendable {
    /// SHA-256, in hexadecimal: the store does not tell the state.
    let stateDigest: String
    let application: String
    let domain: String
    let clientID: String
    /// Seconds since 1970 by this machine's clock.
    let startedAt: Int64

    /// A code of WeChat lives as long.
    static let lifetime: Duration = .seconds(600)

    init(state: String, _ application: WeChatApplication, _ configuration: FlowConfiguration, now: Int64) {
        stateDigest = Self.digest(state)
        self.application = application.id
        domain = configuration.domain
        clientID = configuration.clientID
        startedAt = now
    }

    /// Judges a callback's state.
    ///
    /// - Throws: `stateMismatch`, `stateExpired`.
    func accept(
        _ state: String?, for application: WeChatApplication, _ configuration: FlowConfiguration, now: Int64
    ) throws(WeChatFailure) {
        guard let state, self.application == application.id, domain == configuration.domain, clientID == configuration.clientID,
            equalInConstantTime(Array(Self.digest(state).utf8), Array(stateDigest.utf8))
        else { throw .stateMismatch }
        // A clock that was set back makes no request older. The state works once in any case.
        guard .seconds(now - startedAt) < Self.lifetime else { throw .stateExpired }
    }

    private static func digest(_ state: String) -> String { Digest256.of(state.utf8).hexadecimal }
}
