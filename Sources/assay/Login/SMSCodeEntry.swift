#if HTTP
import ArgumentParser
import CommandProgram
import IDaaSFlows
import Program

/// The slider, and the code of an SMS: from the user, or from the outbox of a development server.
struct SMSCodeEntry: ParsableArguments {
    @Option(
        help: ArgumentHelp("How to show the slider: in the terminal, or as png:FILE with a prompt for x.", valueName: "terminal|png:FILE")
    )
    var slider: SliderStyle = .terminal
    @Option(
        help: ArgumentHelp(
            "In development: the token that `assay idaas serve --dev` printed, to read the code from its outbox. Also: $ASSAY_DEV_TOKEN.",
            valueName: "token"))
    var outbox: String?

    /// The code of an SMS that was sent.
    func code(of pending: PendingSMS, _ flows: Flows) async throws -> String {
        if let code = try await unattendedCode(of: pending, flows) { return code }
        return try Prompt.line("Code of the SMS to \(printable(pending.mobile, upTo: 64)): ")
    }

    /// The code in the outbox; nil without one.
    func unattendedCode(of pending: PendingSMS, _ flows: Flows) async throws -> String? {
        // Only on loopback: the token and the number must not leave this machine.
        guard flows.configuration.isLoopback, let token = outbox ?? Environment["ASSAY_DEV_TOKEN"], !token.isEmpty
        else { return nil }
        return try await RemoteOutbox(domain: flows.configuration.domain, token: token).code(for: pending.mobile)
    }
}

extension FlowOptions {
    /// Flows for a login.
    func loginFlows() async throws -> Flows {
        guard let flows = try await flows() else { throw CommandFailure.usage("name --domain and --client: no stored session has them") }
        return flows
    }

    /// Verifies the id_token of a login and shows it.
    func show(_ session: Session, _ flows: Flows) async throws {
        let verdict = await flows.identity.verify(session.idToken)
        guard case .verified(let user) = verdict else { throw failure(verdict) }
        SessionOutput(json).show(user, session)
    }

    /// The failure of a login with a status that the command cannot continue.
    func needsAnotherStep(_ status: String) -> CommandFailure {
        CommandFailure(message: "the server requires another step: \(printable("\(status)"))", exitCode: 1)
    }
}

/// How to show the slider.
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

    var presenter: any SliderPresenter {
        switch self {
        case .terminal: SliderPresentation(TerminalSliderPresenter())
        case .pictures(let path): SliderPresentation(PictureFilePresenter(path: path))
        }
    }
}
#endif
