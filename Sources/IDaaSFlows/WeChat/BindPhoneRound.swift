internal import IDaaSWire

/// Shows the page until the number is bound, the user leaves, or the login is over.
struct BindPhoneRound: Sendable {
    let login: WeChatLogin
    let step: BindingStep
    let presenter: any BindPhonePresenter
    let theme: BindPhoneTheme
    let slider: any SliderPresenter
    let nonce: String?
    /// A user gives up much sooner. This and the server's limits stop a program that tries for ever.
    static let mostActions = 100

    func run() async -> WeChatLoginOutcome {
        var page = BindPhonePage(step.kind, theme)
        for _ in 1...Self.mostActions {
            let action = await presenter.action(on: page)
            guard !Task.isCancelled else { return .failed(FlowError(.cancelled)) }
            switch action {
            case .back: return .backPressed
            case .sendCode(let mobile): page.mistake = await send(to: mobile, &page)
            case .confirm(let mobile, let code):
                let outcome = await login.finish(step, mobile: mobile, code: code, nonce: nonce)
                guard case .failed(let error) = outcome else { return WeChatLoginOutcome(outcome) }
                page.mistake = error
            }
            if let mistake = page.mistake, mistake.endsStep { return .failed(mistake) }
        }
        return .failed(page.mistake ?? FlowError(.cancelled))
    }

    private func send(to mobile: String, _ page: inout BindPhonePage) async -> FlowError? {
        switch await login.requestCode(for: step, mobile: mobile, slider: slider) {
        case .sent(let pending):
            page.sent = pending
            return nil
        case .sliderClosed: return nil
        case .failed(let error): return error
        }
    }
}

extension FlowError {
    /// Whether the state token is void: the user has to authorise again.
    fileprivate var endsStep: Bool {
        switch reason {
        case .cancelled: true
        case .service(let refusal) where refusal.code == .expired || refusal.code == .invalidParameter:
            refusal.arguments.isEmpty || refusal.arguments.contains(WireMember.stateToken)
        default: false
        }
    }
}
