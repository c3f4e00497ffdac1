#if HTTP
import ArgumentParser
import CommandProgram
import IDaaSFlows

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Shows, refreshes, lists and ends sessions.",
        discussion: "Example: assay session show",
        subcommands: [Show.self, Refresh.self, List.self, LogOut.self]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows who is logged in, by the verified id_token.",
            discussion: "An id_token that is about to expire is renewed first.\nExample: assay session show --json"
        )
        @OptionGroup var options: FlowOptions

        func run() async throws {
            let flows = try await options.keptFlows()
            try await options.show(await flows.sessions.current(), flows)
        }
    }

    struct Refresh: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Renews the id_token now.", discussion: "Example: assay session refresh")
        @OptionGroup var options: FlowOptions

        func run() async throws {
            let flows = try await options.keptFlows()
            try await options.show(await flows.sessions.renew(), flows)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the user's sessions on every device.", discussion: "Example: assay session list")
        @OptionGroup var options: FlowOptions

        func run() async throws {
            let outcome = await (try await options.keptFlows()).sessions.list()
            guard case .success(let sessions) = outcome else { throw options.failure(outcome) }
            SessionOutput(options.json).show(sessions)
        }
    }

    struct LogOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "logout", abstract: "Ends the session at the server and removes it here.",
            discussion: "Example: assay session logout --all")
        @Flag(name: .customLong("all"), help: "End the user's sessions on every device.")
        var everywhere = false
        @OptionGroup var options: FlowOptions

        func run() async throws {
            // Without a stored session the user is already logged out.
            let outcome = await (try await options.flows())?.sessions.logOut(everywhere: everywhere) ?? .loggedOut
            if case .loggedOutHere(let error) = outcome {
                Terminal.error.line("the session is removed here, but the server was not informed: \(printable("\(error)"))")
            }
            guard outcome.legacyCode == "0" else { throw options.failure(outcome) }
            if options.json { Terminal.output.json(encoding: ["status": "signedOut"]) } else { Terminal.output.line("logged out") }
        }
    }
}

extension FlowOptions {
    /// Flows for the stored session.
    fileprivate func keptFlows() async throws -> Flows {
        guard let flows = try await flows() else { throw failure(FlowError(.noSession), code: "1") }
        return flows
    }

    /// Verifies the session's id_token and shows it.
    fileprivate func show(_ outcome: SessionOutcome, _ flows: Flows) async throws {
        guard let session = outcome.session else { throw failure(outcome) }
        if case .unsaved(_, let error) = outcome { Terminal.error.line("the renewed session is not stored: \(printable("\(error)"))") }
        if case .offline(_, let error) = outcome { Terminal.error.line("offline: \(printable("\(error)"))") }
        let verdict = await flows.identity.verify(session.idToken)
        guard case .verified(let user) = verdict else { throw failure(verdict) }
        SessionOutput(json).show(user, session)
    }
}
#endif
