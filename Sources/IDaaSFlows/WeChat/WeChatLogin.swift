internal import IDaaSWire
internal import JWKSCache

/// Login through WeChat: an authorisation in the WeChat app, a login with its code and, for an account without a user, a page that binds or
/// registers a mobile number.
///
/// ``logIn(via:_:page:theme:slider:nonce:)`` does all of it. A program with pages of its own uses the single calls.
public struct WeChatLogin: Sendable {
    private let wire: WireClient
    private let codes: SMSCodes
    private let sessions: SessionKeeper
    private let store: any SessionStore

    init(_ wire: WireClient, _ sessions: SessionKeeper, _ store: any SessionStore) {
        self.wire = wire
        self.sessions = sessions
        self.store = store
        codes = SMSCodes(wire: wire)
    }

    /// Opens WeChat, and returns the code of its callback.
    ///
    /// A code is accepted only with the random state of this request, within ten minutes, once. The request outlives the process. If WeChat
    /// has opened the program anew, the kept callback is the answer, and WeChat is not opened again.
    public func authorize(via router: WeChatCallbackRouter, _ authorizer: any WeChatAuthorizer) async -> WeChatAuthorizationOutcome {
        let authorization = WeChatAuthorization(wire: wire, store: store, router: router)
        // A callback of no request does not spoil a request that is made now.
        if case .authorized(let code)? = await authorization.resume() { return .authorized(code: code) }
        return await authorization.request(authorizer)
    }

    /// The authorisation with which WeChat opened the program anew; nil without one.
    public func resumeAuthorization(via router: WeChatCallbackRouter) async -> WeChatAuthorizationOutcome? {
        await WeChatAuthorization(wire: wire, store: store, router: router).resume()
    }

    /// Logs in with the code of an authorisation. If the answer was lost, the same code works again on this device for 30 s.
    public func logIn(code: String, nonce: String? = nil) async -> WeChatCodeOutcome {
        do throws(FlowError) {
            var body: [String: WireValue] = [
                WireMember.authorizationCode: .text(
                    try WireText.checked(code, WireMember.authorizationCode, upTo: WeChatCallback.longestCode))
            ]
            if let nonce { body[WireMember.nonce] = .text(nonce) }
            let answer = try await wire.call(WireCall(post: WirePath.wechatLogin, body))
            if let step = BindingStep(try answer.object()) {
                wire.configuration.log.write("WeChat: the account has no user: \(step)")
                return step.kind == .register ? .register(step) : .bind(step)
            }
            switch try await sessions.begin(with: answer) {
            case .loggedIn(let session): return .loggedIn(session)
            case .other(let status, let stateToken): return .other(status: status, stateToken: stateToken)
            case .failed(let error): return .failed(error)
            }
        } catch {
            return .failed(error)
        }
    }

    /// Shows the user a slider for a number. No SMS is sent.
    public func solveSlider(mobile: String, presenter: any SliderPresenter) async -> SliderOutcome {
        await codes.solveSlider(mobile, presenter)
    }

    /// Requests the SMS that a step needs, for a solved slider.
    public func sendSMS(_ pass: SliderPass, for step: BindingStep) async -> SMSCodeOutcome {
        await codes.send(pass, for: step.purpose, stateToken: step.stateToken)
    }

    /// The slider and the SMS.
    public func requestCode(for step: BindingStep, mobile: String, slider presenter: any SliderPresenter) async -> SMSCodeOutcome {
        await codes.request(mobile, presenter, for: step.purpose, stateToken: step.stateToken)
    }

    /// Binds or registers the number with the code of its SMS, logs in and stores the session.
    public func finish(_ step: BindingStep, mobile: String, code: String, nonce: String? = nil) async -> LoginOutcome {
        do throws(FlowError) {
            let stateToken = try WireText.checked(step.stateToken, WireMember.stateToken, upTo: 4_096)
            let body = try SMSCodes.redemption(mobile: mobile, code: code, nonce: nonce)
            let answer = try await wire.call(WireCall(post: step.path, body, [HeaderField(WireHeader.stateToken, stateToken)]))
            return try await sessions.begin(with: answer)
        } catch {
            return .failed(error)
        }
    }

    /// Does everything in one call, as the vendor's SDK does. The server chooses between the page for binding and the one for registration.
    ///
    /// - Parameters:
    ///   - router: gets the URLs that the program is opened with.
    ///   - authorizer: opens the WeChat app.
    ///   - page: shows the page for binding or registration.
    ///   - theme: how the page looks.
    ///   - slider: shows the slider.
    ///   - nonce: the `nonce` for the id_token, for ``IDTokenVerification/verify(_:nonce:)``.
    public func logIn(
        via router: WeChatCallbackRouter, _ authorizer: any WeChatAuthorizer, page: any BindPhonePresenter,
        theme: BindPhoneTheme = BindPhoneTheme(), slider: any SliderPresenter, nonce: String? = nil
    ) async -> WeChatLoginOutcome {
        switch await authorize(via: router, authorizer) {
        case .cancelled: return .cancelled
        case .refused(let failure): return .refused(failure)
        case .failed(let error): return .failed(error)
        case .authorized(let code):
            switch await logIn(code: code, nonce: nonce) {
            case .loggedIn(let session): return .loggedIn(session)
            case .other(let status, let stateToken): return .other(status: status, stateToken: stateToken)
            case .failed(let error): return .failed(error)
            case .register(let step), .bind(let step):
                return await BindPhoneRound(login: self, step: step, presenter: page, theme: theme, slider: slider, nonce: nonce).run()
            }
        }
    }
}
