#if HTTP
import ArgumentParser
import CommandProgram
import IDaaSFlows
import IDaaSWire

struct MFACommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mfa",
        abstract: "Plays the phone of a biometric second factor.",
        discussion: """
            A key in a file beside the session stands in for the phone's secure element, and a confirmation at the terminal for the face or the \
            finger.
            Example: assay mfa bind && assay mfa approve --match 47
            """,
        subcommands: [Bind.self, Unbind.self, Pending.self, Approve.self, Deny.self]
    )

    struct Bind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Binds this device to the logged-in user.",
            discussion: "The login must be of the last ten minutes.\nExample: assay mfa bind")
        @Option(help: "The user within this app; each has an own key. Default: the user of the id_token.")
        var userID: String?
        @OptionGroup var presence: PresenceOptions
        @OptionGroup var options: FlowOptions

        func run() async throws {
            let flows = try await options.phone(presence.verifier)
            let session = try await options.session(flows)
            let verdict = await flows.identity.verify(session.idToken)
            guard case .verified(let user) = verdict else { throw options.failure(verdict) }
            let outcome = await flows.biometrics.bind(userID: userID ?? user.id, idToken: session.idToken)
            guard case .bound = outcome else { throw options.failure(outcome) }
            options.report("bound", "the device is bound")
        }
    }

    struct Unbind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Unbinds this device and removes its key.", discussion: "Example: assay mfa unbind")
        @OptionGroup var presence: PresenceOptions
        @OptionGroup var options: FlowOptions

        func run() async throws {
            let outcome = await (try await options.phone(presence.verifier)).biometrics.unbind()
            guard case .unbound = outcome else { throw options.failure(outcome) }
            options.report("unbound", "the device is unbound")
        }
    }

    struct Pending: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the login that waits for the phone.", discussion: "Example: assay mfa pending --json")
        @OptionGroup var options: FlowOptions

        func run() async throws {
            let outcome = await (try await options.phone()).biometrics.pending()
            switch outcome {
            case .pending(let request): ApprovalOutput(options.json).show(request)
            case .none: options.report("none", "no login waits")
            case .failed: throw options.failure(outcome)
            }
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approves the login that waits.", discussion: "Example: assay mfa approve --match 47")
        @Option(help: "The two digits on the PC. Default: the command asks, if the login has some.")
        var match: String?
        @OptionGroup var presence: PresenceOptions
        @OptionGroup var options: FlowOptions

        func run() async throws { try await options.answer(.approve, match: match, presence) }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Denies the login that waits.", discussion: "Example: assay mfa deny")
        @OptionGroup var presence: PresenceOptions
        @OptionGroup var options: FlowOptions

        func run() async throws { try await options.answer(.deny, match: nil, presence) }
    }
}

extension FlowOptions {
    /// Flows of the stored session, with the keys of this device.
    fileprivate func phone(_ verifier: any UserVerifier = TerminalVerifier()) async throws -> Flows {
        guard let flows = try await flows(verifier: verifier) else { throw failure(FlowError(.noSession), code: "1") }
        return flows
    }

    fileprivate func session(_ flows: Flows) async throws -> Session {
        let outcome = await flows.sessions.current()
        guard let session = outcome.session else { throw failure(outcome) }
        return session
    }

    fileprivate func answer(_ decision: ApprovalDecision, match: String?, _ presence: PresenceOptions) async throws {
        let flows = try await phone(presence.verifier)
        let found = await flows.biometrics.pending()
        guard case .pending(let request) = found else {
            if case .none = found { throw CommandFailure(message: "\(found.legacyCode): no login waits", exitCode: 1) }
            throw failure(found)
        }
        ApprovalOutput(false).show(request, on: Terminal.error)
        let isAsked = decision == .approve && request.needsMatchCode && match == nil
        let digits = isAsked ? try Prompt.line("The two digits on the PC: ") : match
        let outcome = await flows.biometrics.answer(request, decision, matchCode: digits)
        guard case .answered = outcome else { throw failure(outcome) }
        report(decision == .approve ? "approved" : "denied", decision == .approve ? "approved" : "denied")
    }

    fileprivate func report(_ status: String, _ text: String) {
        if json { Terminal.output.json(encoding: ["status": status]) } else { Terminal.output.line(text) }
    }
}
#endif
