import ArgumentParser
import CommandProgram
import IDaaSServer

/// The receivers of shared signals. Their secrets come from standard input or are made here: arguments are visible to every user of the machine.
struct IDaaSStreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream", abstract: "Receivers that are told of sessions that ended and of changed credentials.",
        discussion: "Example: assay idaas stream list",
        subcommands: [Add.self, List.self, Set.self, RotateSecret.self, Remove.self, Verify.self])

    enum Event: String, ExpressibleByArgument, CaseIterable {
        case sessionRevoked = "session-revoked"
        /// The same, and many that end together in one event of this project.
        case sessionsRevoked = "sessions-revoked"
        case credentialChange = "credential-change"
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a receiver: one to push to, whose bearer secret is the first line of standard input, or one that polls.",
            discussion: """
                A receiver that polls gets a secret, which is printed once.
                Example: assay idaas stream add --name Gateway --audience https://gateway.example --push https://gateway.example/events \
                < secret.txt
                """)
        @OptionGroup var options: IDaaSOptions
        @Option(help: "The receiver's name.")
        var name: String
        @Option(help: "The audience (aud) of its security event tokens.")
        var audience: String
        @Option(help: ArgumentHelp("The URL to push to (RFC 8935).", valueName: "url"))
        var push: String?
        @Flag(help: "The receiver polls (RFC 8936), at /signals/ID/poll.")
        var poll = false
        @Flag(help: "Push without a secret.")
        var noSecret = false
        @Option(
            name: .customLong("event"),
            help:
                "An event to tell of. May be repeated. sessions-revoked, many sessions in one event, is for `assay serve`. Default: all others."
        )
        var events: [Event] = []
        @OptionGroup var listing: Listing

        func validate() throws {
            guard (push == nil) == poll else { throw ValidationError("name either --push or --poll") }
            guard !noSecret || !poll else { throw ValidationError("--no-secret is for --push") }
        }

        func run() async throws {
            let secret = push == nil || noSecret ? nil : try Self.secret()
            let row = try await options.administer(.adminStreamAdd) { [name, audience, push, choice = events.choice] services, trail in
                if let push {
                    let stream = try await services.administration.addPushedStream(
                        name: name, audience: audience, url: push, secret: secret, choice)
                    trail.note(key: stream.id)
                    return stream.row
                }
                let (stream, secret) = try await services.administration.addPolledStream(name: name, audience: audience, choice)
                trail.note(key: stream.id)
                return stream.row + [("secret", secret)]
            }
            listing.show([row])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the receivers.", discussion: "Example: assay idaas stream list --json")
        @OptionGroup var options: IDaaSOptions
        @OptionGroup var listing: Listing

        func run() async throws {
            let streams = try await options.administer { try await $0.administration.signalStreams() }
            listing.show(streams.map(\.row))
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes the events that a receiver is told of.",
            discussion: "Example: assay idaas stream set 3kTMd0VqMHlYbSqP --event session-revoked")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String
        @Option(name: .customLong("event"), help: "An event to tell of. May be repeated.")
        var events: [Event]
        @OptionGroup var listing: Listing

        func run() async throws {
            let stream = try await options.administer(.adminStreamSet) { [id, choice = events.choice] services, trail in
                trail.note(key: id)
                return try await services.administration.configureStream(id, choice)
            }
            listing.show([stream.row])
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret",
            abstract: "Changes a secret: to the first line of standard input, or for a receiver that polls to a new one, which is printed.",
            discussion: "Example: assay idaas stream rotate-secret 3kTMd0VqMHlYbSqP < secret.txt")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String
        @Flag(help: "The receiver polls.")
        var poll = false
        @OptionGroup var listing: Listing

        func run() async throws {
            let secret = poll ? nil : try Self.secret()
            let row = try await options.administer(.adminStreamRotateSecret) { [id] services, trail in
                trail.note(key: id)
                let (stream, made) = try await services.administration.changeStreamSecret(id, to: secret)
                return stream.row + [("secret", made)]
            }
            listing.show([row])
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a receiver, with what waits for it.", discussion: "Example: assay idaas stream remove 3kTMd0VqMHlYbSqP")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String

        func run() async throws {
            try await options.administer(.adminStreamRemove) { [id] services, trail in
                trail.note(key: id)
                try await services.administration.removeStream(id)
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a receiver a verification event, and prints its state.",
            discussion: "Example: assay idaas stream verify 3kTMd0VqMHlYbSqP --state test-1")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String
        @Option(help: "The state. Default: a generated one.")
        var state: String?
        @OptionGroup var listing: Listing

        func run() async throws {
            let state = try await options.administer(.adminStreamVerify) { [id, state] services, trail in
                trail.note(key: id)
                return try await services.administration.verifyStream(id, state: state)
            }
            listing.show([[("id", id), ("state", state)]])
        }
    }
}

extension [IDaaSStreamCommand.Event] {
    fileprivate var choice: Administration.SignalChoice {
        isEmpty
            ? Administration.SignalChoice()
            : Administration.SignalChoice(
                revocations: contains(.sessionRevoked) || contains(.sessionsRevoked), bundles: contains(.sessionsRevoked),
                credentials: contains(.credentialChange))
    }
}

extension SignalStream {
    fileprivate var row: [(name: String, value: String?)] {
        var (method, url) = ("poll", nil as String?)
        if case .push(let receiver, _) = delivery { (method, url) = ("push", receiver) }
        let events = [
            (wantsRevocations, "session-revoked"), (wantsBundles, "sessions-revoked"), (wantsCredentials, "credential-change"),
        ].filter(\.0).map(\.1)
        return [
            ("id", id), ("name", name), ("audience", audience), ("delivery", method), ("url", url),
            ("events", events.joined(separator: ",")), ("created", Listing.date(created)),
        ]
    }
}
