#if IDaaS
import ArgumentParser
import IDaaSServer

struct IDaaSUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "People who log in.", discussion: "Example: assay idaas user lock +86-13800000000",
        subcommands: [Add.self, List.self, Lock.self, Unlock.self, Export.self, Delete.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user.", discussion: "Example: assay idaas user add --mobile +86-13800000000 --name Zhang")
        @OptionGroup var options: IDaaSOptions
        @Option(help: "The mobile number.")
        var mobile: String
        @Option(help: "The name.")
        var name: String?
        @Option(help: "The user name.")
        var userName: String?
        @Option(help: "The e-mail address.")
        var email: String?
        @Option(help: "Six digits that a server in development takes as the code of this number, without a message. With --dev only.")
        var testCode: String?
        @Flag(help: "Print one JSON document.")
        var json = false

        func validate() throws {
            guard testCode == nil || options.development else { throw ValidationError("--test-code is for --dev") }
        }

        func run() async throws {
            let user = try await options.administer(.adminUserAdd) { [mobile, name, userName, email, testCode] services, trail in
                trail.note(mobile: mobile)
                let user = try await services.administration.addUser(
                    mobile: mobile, name: name, userName: userName, email: email, testCode: testCode)
                trail.note(user: user)
                return user
            }
            Listing(isJSON: json).show([user.row])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists users by id, a page at a time.", discussion: "Example: assay idaas user list --limit 100")
        @OptionGroup var options: IDaaSOptions
        @Option(help: "Those behind this id.")
        var after: String?
        @Option(help: "At most so many.")
        var limit = 1_000
        @Flag(help: "Print one JSON document.")
        var json = false

        func run() async throws {
            let users = try await options.administer { [after, limit] in try await $0.administration.users(after: after, limit: limit) }
            Listing(isJSON: json).show(users.map(\.row))
        }
    }

    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a user's sessions and lets no code through.", discussion: "Example: assay idaas user lock +86-13800000000")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id or a mobile number.") var user: String

        func run() async throws { try await options.administer(.adminUserLock, user: user) { [user] in try await $0.lockUser(user) } }
    }

    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lifts a lock, also one that wrong codes brought.", discussion: "Example: assay idaas user unlock +86-13800000000")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id or a mobile number.") var user: String

        func run() async throws { try await options.administer(.adminUserUnlock, user: user) { [user] in try await $0.unlockUser(user) } }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints all that is stored about a user, as JSON without secrets.",
            discussion: "Example: assay idaas user export +86-13800000000 > user.json")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id or a mobile number.") var user: String

        func run() async throws {
            let document = try await options.administer(.adminUserExport, user: user) { [user] in try await $0.exportUser(user) }
            Terminal.output.line(String(decoding: document, as: UTF8.self))
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a user and whatever is stored about the number.",
            discussion: "Example: assay idaas user delete +86-13800000000")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id or a mobile number.") var user: String

        func run() async throws { try await options.administer(.adminUserDelete, user: user) { [user] in try await $0.deleteUser(user) } }
    }
}

extension User {
    fileprivate var row: [(name: String, value: String?)] {
        [
            ("id", id), ("mobile", mobile), ("name", name), ("user_name", userName), ("email", email), ("locked", isLocked ? "yes" : nil),
            ("created", Listing.date(created)),
        ]
    }
}
#endif
