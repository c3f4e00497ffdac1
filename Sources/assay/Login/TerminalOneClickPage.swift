#if HTTP
import CommandProgram
import IDaaSFlows

/// The page of one-click login, as questions in the terminal.
actor TerminalOneClickPage: OneClickPresenter {
    /// Whether the command line gave the consent.
    private let isAgreed: Bool
    private var hasShown = false

    init(isAgreed: Bool) { self.isAgreed = isAgreed }

    func action(on screen: OneClickScreen) async -> OneClickAction {
        if !hasShown {
            hasShown = true
            Terminal.error.line("Log in as \(printable(screen.number, upTo: 64))")
            for agreement in screen.agreements {
                Terminal.error.line("  \(printable(agreement.title, upTo: 128)) \(printable(agreement.url, upTo: 256))")
            }
        }
        if screen.isConsented { return .logIn }
        if isAgreed { return .consent(true) }
        return question()
    }

    private func question() -> OneClickAction {
        let answer: String? = try? Prompt.line("[ ] I agree to these agreements. (y: agree and log in, s: another method, n: back) ")
        switch answer {
        case "y": return .consent(true)
        case "s": return .switchMethod
        default: return .back
        }
    }
}
#endif
