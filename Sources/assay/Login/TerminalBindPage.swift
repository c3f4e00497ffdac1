#if HTTP
import CommandProgram
import IDaaSFlows
import IDaaSWire

/// The page for binding or registration, as questions in the terminal.
actor TerminalBindPage: BindPhonePresenter {
    private let flows: Flows
    private let entry: SMSCodeEntry
    /// The number of the command line: asked for once, since a wrong one stays wrong.
    private var given: String?
    private var mobile = ""
    private var hasGreeted = false

    init(flows: Flows, entry: SMSCodeEntry, mobile: String?) {
        self.flows = flows
        self.entry = entry
        given = mobile
    }

    func action(on page: BindPhonePage) async -> BindPhoneAction {
        if !hasGreeted {
            hasGreeted = true
            let what = page.kind == .register ? "Register a mobile number with it" : "Bind it to the user of a mobile number"
            Terminal.error.line("This WeChat account has no user. \(what) (empty: back).")
        }
        if let mistake = page.mistake { Terminal.error.line(printable(mistake.text(in: flows.configuration.language))) }
        guard let sent = page.sent else { return number() }
        return await code(of: sent, isFirst: page.mistake == nil)
    }

    private func number() -> BindPhoneAction {
        let answer: String? = given ?? (try? Prompt.line("Mobile number: "))
        given = nil
        guard let answer else { return .back }
        mobile = answer
        return .sendCode(mobile: answer)
    }

    private func code(of sent: PendingSMS, isFirst: Bool) async -> BindPhoneAction {
        // The outbox has the same code each time: where it was refused, the user is asked.
        let unattended: String? = isFirst ? (try? await entry.unattendedCode(of: sent, flows)) ?? nil : nil
        guard let code = unattended ?? (try? Prompt.line("Code of the SMS (r: another SMS): ")) else { return .back }
        return code == "r" ? .sendCode(mobile: mobile) : .confirm(mobile: mobile, code: code)
    }
}
#endif
