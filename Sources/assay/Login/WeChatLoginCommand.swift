#if HTTP
import ArgumentParser
import CommandProgram
import HTTPGuard
import IDaaSFlows
import IDaaSWire

struct WeChatLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wechat",
        abstract: "Logs in through WeChat, and binds or registers a mobile number where the account has none.",
        discussion: """
            With --user, the simulator of a development server plays the WeChat app. Without it, the command prints the request, and reads the \
            URL with which WeChat opened the application. A URL that arrives later goes to a new command, with --callback.
            Example: assay login wechat --domain http://127.0.0.1:8800 --client demo --user jane
            """
    )

    @OptionGroup var options: FlowOptions
    @Option(name: .customLong("app-id"), help: ArgumentHelp("The AppID at the WeChat Open Platform.", valueName: "id"))
    var applicationID = "wx0000000000000000"
    @Option(help: ArgumentHelp("The registered Universal Link.", valueName: "url"))
    var universalLink = "https://app.example/"
    @Option(help: ArgumentHelp("In development: the account in the simulated WeChat app.", valueName: "name"))
    var user: String?
    @Option(
        help: ArgumentHelp("In development: what the simulated user does in WeChat.", valueName: "allow|deny|cancel"),
        transform: { text in
            guard let decision = SimulatedDecision(rawValue: text) else { throw ValidationError("allow, deny or cancel") }
            return decision
        })
    var decision: SimulatedDecision = .allow
    @Option(help: ArgumentHelp("The URL with which WeChat opened the application, for the last request of this store.", valueName: "url"))
    var callback: String?
    @Option(help: "The mobile number to bind or register. Default: the command asks.")
    var mobile: String?
    @OptionGroup var entry: SMSCodeEntry

    func run() async throws {
        let flows = try await options.loginFlows()
        let router = try router()
        if let callback, !router.handle(url: callback) {
            throw CommandFailure.usage("--callback is no WeChat login of \(printable(applicationID, upTo: 64))")
        }
        let page = TerminalBindPage(flows: flows, entry: entry, mobile: mobile)
        let outcome = await flows.weChat.logIn(
            via: router, try authorizer(router, flows), page: page, slider: entry.slider.presenter)
        switch outcome {
        case .loggedIn(let session): try await options.show(session, flows)
        case .other(let status, _): throw options.needsAnotherStep(status)
        case .cancelled: throw options.failure(FlowError(.cancelled), code: outcome.legacyCode)
        case .backPressed: throw options.failure(FlowError(.cancelled), code: outcome.legacyCode)
        case .refused, .failed: throw options.failure(outcome)
        }
    }

    private func router() throws -> WeChatCallbackRouter {
        do throws(FlowError) {
            return WeChatCallbackRouter(try WeChatApplication(id: applicationID, universalLink: universalLink))
        } catch {
            throw CommandFailure.usage(error.text(in: .english))
        }
    }

    private func authorizer(_ router: WeChatCallbackRouter, _ flows: Flows) throws -> any WeChatAuthorizer {
        guard let user else { return callback == nil ? PastedCallback(router: router) : LateCallback() }
        let transport = try GuardedClient(try options.httpClient(for: flows.configuration))
        return try SimulatedWeChat(flows.configuration.domain, transport: transport, user: user, decision: decision, router: router)
    }
}

/// Prints the request, and reads the URL with which WeChat opened the application.
private struct PastedCallback: WeChatAuthorizer {
    let router: WeChatCallbackRouter

    func open(_ request: WeChatRequest) async throws(WeChatFailure) {
        Terminal.error.line("Ask WeChat: appid \(request.application.id), scope \(request.scope), state \(request.state)")
        guard let url = try? Prompt.line("The URL with which it opened the application: ") else { throw .cancelled }
        guard router.handle(url: url) else { throw .stateMismatch }
    }
}

/// For a callback that answers no request of this store.
private struct LateCallback: WeChatAuthorizer {
    func open(_ request: WeChatRequest) async throws(WeChatFailure) { throw .stateMismatch }
}
#endif
