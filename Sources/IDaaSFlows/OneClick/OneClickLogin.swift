internal import IDaaSWire

/// Login with the number of the SIM card: the carrier gives a token after the user's consent (``CarrierLogin``), and the server exchanges it
/// for the number.
public struct OneClickLogin: Sendable {
    private let wire: WireClient
    private let sessions: SessionKeeper

    init(_ wire: WireClient, _ sessions: SessionKeeper) {
        self.wire = wire
        self.sessions = sessions
    }

    /// Sends the token to the server, which exchanges it for the number once, logs in and stores the session.
    public func logIn(_ token: CarrierToken, nonce: String? = nil) async -> LoginOutcome {
        do throws(FlowError) {
            var body: [String: WireValue] = [
                WireMember.accessToken: .text(try WireText.checked(token.value, WireMember.accessToken, upTo: 4_096))
            ]
            if let nonce { body[WireMember.nonce] = .text(nonce) }
            return try await sessions.begin(with: try await wire.call(WireCall(post: WirePath.oneClickLogin, body)))
        } catch {
            return .failed(error)
        }
    }

    /// The page and the login in one call.
    public func logIn(
        via carrier: CarrierLogin, _ page: OneClickPage = OneClickPage(), on presenter: any OneClickPresenter, timeout: Duration = .zero,
        nonce: String? = nil
    ) async -> OneClickOutcome {
        if case .failed(let failure) = carrier.checkGateway() { return .refused(failure) }
        for await event in carrier.events(page, on: presenter, timeout: timeout) {
            switch event {
            case .pageShown, .consentChanged, .consentRequired, .agreementOpened: continue
            case .switchMethod: return .switchMethod
            case .cancelled: return .cancelled
            case .failed(let failure): return .refused(failure)
            case .login(let token):
                switch await logIn(token, nonce: nonce) {
                case .loggedIn(let session): return .loggedIn(session)
                case .other(let status, let stateToken): return .other(status: status, stateToken: stateToken)
                case .failed(let error): return .failed(error)
                }
            }
        }
        return .failed(FlowError(.cancelled))
    }
}
