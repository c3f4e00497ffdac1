/// Shows the page on which a person enters a mobile number and its code, to bind or register a WeChat account.
///
/// When its task is cancelled it must return soon. The answer is ignored then.
public protocol BindPhonePresenter: Sendable {
    /// Shows the page as it is now, and returns what the person does.
    func action(on page: BindPhonePage) async -> BindPhoneAction
}

/// What the page shows.
public struct BindPhonePage: Sendable {
    public let kind: BindingStep.Kind
    public let style: BindPhoneStyle
    /// The SMS that was sent, for the countdown (``SMSLogin/resendCountdown(_:)``).
    public internal(set) var sent: PendingSMS?
    /// Why the last action had no effect.
    public internal(set) var mistake: FlowError?

    init(_ kind: BindingStep.Kind, _ theme: BindPhoneTheme) {
        self.kind = kind
        style = theme.style(of: kind)
    }
}

/// What the person does on the page.
public enum BindPhoneAction: Hashable, Sendable {
    /// Wants an SMS: the slider follows.
    case sendCode(mobile: String)
    /// Presses the button that binds or registers.
    case confirm(mobile: String, code: String)
    case back
}
