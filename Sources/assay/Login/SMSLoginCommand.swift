#if HTTP
import ArgumentParser
import Foundation
import IDaaSFlows

struct SMSLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms",
        abstract: "Logs in with a mobile number, a slider and the code of an SMS.",
        discussion: """
            The slider is drawn in the terminal: arrow keys move it, Enter checks, r brings another picture, q gives up.
            Example: assay login sms --domain https://tenant.example --client S1ScicdI --mobile +86-13800000000
            """
    )

    @OptionGroup var options: FlowOptions
    @Option(help: "The mobile number: +86-13800000000 or 13800000000. Default: asked for.")
    var mobile: String?
    @Option(help: "The code of an SMS that was sent already: no slider, no other SMS.")
    var code: String?
    @Option(help: ArgumentHelp("How the slider is shown: terminal, or png:FILE and x is read.", valueName: "terminal|png:FILE"))
    var slider: SliderStyle = .terminal
    @Option(
        help: ArgumentHelp(
            "In development: the token that `assay idaas serve --dev` printed. The code is read from its outbox. Also: $ASSAY_DEV_TOKEN.",
            valueName: "token"))
    var outbox: String?

    func run() async throws {
        guard let flows = try await options.flows() else {
            throw CommandFailure.usage("name --domain and --client: no session is kept that has them")
        }
        let mobile = try mobile ?? Prompt.line("Mobile number: ")
        let code =
            if let code { code } else { try await sendCode(to: mobile, flows) }
        let outcome = await flows.sms.logIn(mobile: mobile, code: code)
        guard case .loggedIn(let session) = outcome else {
            if case .other(let status, _) = outcome { throw CommandFailure(message: "the server wants more: \(status)", exitCode: 1) }
            throw options.failure(outcome)
        }
        let verdict = await flows.identity.verify(session.idToken)
        guard case .verified(let user) = verdict else { throw options.failure(verdict) }
        SessionOutput(options.json).show(user, session)
    }

    /// Has a code sent, and the person read it.
    private func sendCode(to mobile: String, _ flows: Flows) async throws -> String {
        let sent = await flows.sms.requestCode(mobile: mobile, slider: slider.presenter)
        guard case .sent(let pending) = sent else { throw options.failure(sent) }
        // Of this machine alone: to anybody else the token and the number are told by nobody.
        if flows.configuration.isLoopback, let token = outbox ?? ProcessInfo.processInfo.environment["ASSAY_DEV_TOKEN"], !token.isEmpty {
            return try await RemoteOutbox(domain: flows.configuration.domain, token: token).code(for: pending.mobile)
        }
        return try Prompt.line("Code of the SMS to \(pending.mobile): ")
    }
}

/// How a slider is shown to a person.
enum SliderStyle: ExpressibleByArgument {
    case terminal
    case pictures(String)

    init?(argument: String) {
        if argument == "terminal" {
            self = .terminal
        } else if argument.hasPrefix("png:"), argument.utf8.count > 4 {
            self = .pictures(String(argument.dropFirst(4)))
        } else {
            return nil
        }
    }

    /// A terminal that is too small, or none, gets the pictures.
    var presenter: any SliderPresenter {
        switch self {
        case .terminal: TerminalSliderPresenter()
        case .pictures(let path): PictureFilePresenter(path: path)
        }
    }
}
#endif
