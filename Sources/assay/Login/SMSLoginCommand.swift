#if HTTP
import ArgumentParser
import IDaaSFlows

struct SMSLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms",
        abstract: "Logs in with a mobile number, a slider captcha and a code by SMS.",
        discussion: """
            In the terminal, arrow keys move the slider, Enter checks it, r shows another picture, q gives up.
            Example: assay login sms --domain https://tenant.example --client S1ScicdI --mobile +86-13800000000
            """
    )

    @OptionGroup var options: FlowOptions
    @Option(help: "The mobile number: +86-13800000000 or 13800000000. Default: the command asks.")
    var mobile: String?
    @Option(help: "The code of an SMS already received. Skips the slider and the new SMS.")
    var code: String?
    @OptionGroup var entry: SMSCodeEntry

    func run() async throws {
        let flows = try await options.loginFlows()
        let mobile = try mobile ?? Prompt.line("Mobile number: ")
        let code =
            if let code { code } else { try await entry.sendCode(to: mobile, flows, options) }
        try await options.finish(await flows.sms.logIn(mobile: mobile, code: code), flows)
    }
}

extension SMSCodeEntry {
    /// Requests a code for a login and prompts for it.
    func sendCode(to mobile: String, _ flows: Flows, _ options: FlowOptions) async throws -> String {
        let sent = await flows.sms.requestCode(mobile: mobile, slider: slider.presenter)
        guard case .sent(let pending) = sent else { throw options.failure(sent) }
        return try await code(of: pending, flows)
    }
}

extension FlowOptions {
    /// Shows the user of a login, or fails.
    func finish(_ outcome: LoginOutcome, _ flows: Flows) async throws {
        switch outcome {
        case .loggedIn(let session): try await show(session, flows)
        case .other(let status, _): throw needsAnotherStep(status)
        case .failed: throw failure(outcome)
        }
    }
}
#endif
