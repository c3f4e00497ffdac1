import AssayTesting
import Gateway
import GatewayServer
import JWTCore
import JWTTestSupport
import Locks

/// A configuration with a stream of events, and the transmitter that sends them. It is the issuer of the sample's tokens too.
enum SignalSample {
    static let audience = "https://gateway.example"
    static let secret = "a-secret-of-the-stream"

    static let push = """
            push:
              path: /signals/idp
              secret: \(secret)
        """

    static let poll = """
            poll:
              url: https://idp.example/poll
              secret: \(secret)
        """

    static func text(_ delivery: String = push, more: String = "", listener: String = "\n  tcp: 127.0.0.1:0") -> String {
        SampleConfiguration.text + section(delivery, more: more, listener: listener)
    }

    /// The section `signals` alone.
    static func section(_ delivery: String = push, more: String = "", listener: String = "\n  tcp: 127.0.0.1:0") -> String {
        """
        signals:\(listener)
          log: revocations.log
          streams:
            - name: idp
              issuer: https://idp.example
              audience: \(audience)
              keys:
                url: https://idp.example/jwks
        \(more.isEmpty ? "" : "      \(more)\n")\(delivery.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))

        """
    }

    /// The subject of a session.
    static func session(_ name: String) -> String { #"{"format":"complex","session":{"format":"opaque","id":"\#(name)"}}"# }

    static let user = #"{"format":"iss_sub","iss":"https://idp.example","sub":"248289761001"}"#

    /// The claims of an event that ends a session.
    static func claims(
        _ name: String = "set-1", subject: String = session("sid-1"), stamp: Int = 1_700_000_050, issued: Int = 1_700_000_050
    ) -> String {
        #"{"iss":"https://idp.example","aud":"\#(audience)","jti":"\#(name)","iat":\#(issued),"sub_id":\#(subject),"events":"#
            + #"{"https://schemas.openid.net/secevent/caep/event-type/session-revoked":{"event_timestamp":\#(stamp)}}}"#
    }

    /// The token of a user with a session.
    static func token(_ forge: TokenForge, session: String = "sid-1", issued: Int = 1_700_000_000) -> String {
        forge.token(
            #"{"iss":"https://idp.example","sub":"248289761001","aud":"client-1","exp":1700003600,"iat":\#(issued),"sid":"\#(session)"}"#)
    }
}

/// Keeps what events revoke, and fails where a test says so.
final class ScriptedStore: RevocationStore {
    struct Full: Error {}

    private let state = Locked(State())

    private struct State {
        var entries: [RevocationList.Entry] = []
        var calls = 0
        var isFailing = false
    }

    var entries: [RevocationList.Entry] { state.withLock(\.entries) }
    var calls: Int { state.withLock(\.calls) }

    func fail(_ isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }

    func append(_ entries: [RevocationList.Entry], now: NumericDate) throws {
        try state.withLock { state in
            state.calls += 1
            guard !state.isFailing else { throw Full() }
            state.entries += entries
        }
    }
}

extension RunningGateway {
    var signals: String { ready.signals.first ?? "" }

    func event(_ claims: String = SignalSample.claims()) -> String { forge.token(claims, type: "secevent+jwt") }

    /// Pushes an event.
    func push(
        _ body: String, path: String = "/signals/idp", method: String = "POST", type: String? = "application/secevent+jwt",
        authorization: String? = "Bearer \(SignalSample.secret)"
    ) async throws -> GatewayClient.Answer? {
        let fields = [type.map { "Content-Type: \($0)" }, authorization.map { "Authorization: \($0)" }].compactMap(\.self)
        return try await GatewayClient.exchange(signals, GatewayClient.request(method, path, host: signals, fields, body: body))
    }

    var metrics: String { get async throws { try await operate("/metrics")?.body ?? "" } }
}
