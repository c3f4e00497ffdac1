import ArgumentParser
import CommandProgram
import IDaaSServer

struct IDaaSUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Users who log in.", discussion: "Example: assay idaas user lock +86-13800000000",
        subcommands: [Add.self, List.self, Lock.self, Unlock.self, SetPassword.self, UnbindPhones.self, Export.self, Delete.self])

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
        @Option(help: "Six digits that a server in development accepts as this number's code, without a message. Requires --dev.")
        var testCode: String?
        @OptionGroup var listing: Listing

        func validate() throws {
            guard testCode == nil || options.development else { throw ValidationError("--test-code requires --dev") }
        }

        func run() async throws {
            let user = try await options.administer(.adminUserAdd) { [mobile, name, userName, email, testCode] services, trail in
                trail.note(mobile: mobile)
                let user = try await services.administration.addUser(
                    mobile: mobile, name: name, userName: userName, email: email, testCode: testCode)
                trail.note(user: user)
                return user
            }
            listing.show([user.row])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists users by id, a page at a time.", discussion: "Example: assay idaas user list --limit 100")
        @OptionGroup var options: IDaaSOptions
        @Option(help: "List users after this id.")
        var after: String?
        @Option(help: "The maximum number of users.")
        var limit = 1_000
        @OptionGroup var listing: Listing

        func run() async throws {
            let users = try await options.administer { [after, limit] in try await $0.administration.users(after: after, limit: limit) }
            listing.show(users.map(\.row))
        }
    }

    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a user's sessions and blocks new logins.", discussion: "Example: assay idaas user lock +86-13800000000")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id, a mobile number or a user name.") var user: String

        func run() async throws { try await options.administer(.adminUserLock, user: user) { [user] in try await $0.lockUser(user) } }
    }

    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a lock, also one caused by wrong codes.", discussion: "Example: assay idaas user unlock +86-13800000000")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id, a mobile number or a user name.") var user: String

        func run() async throws { try await options.administer(.adminUserUnlock, user: user) { [user] in try await $0.unlockUser(user) } }
    }

    struct SetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-password", abstract: "Sets a user's password, which is the first line of standard input.",
            discussion: "Example: assay idaas user set-password +86-13800000000 < password.txt")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id, a mobile number or a user name.") var user: String

        func run() async throws {
            let password = try Self.secret()
            try await options.administer(.adminUserPassword, user: user) { [user] in try await $0.setPassword(of: user, to: password) }
        }
    }

    struct UnbindPhones: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unbind-phones", abstract: "Unbinds the phones of a user, for example after a loss.",
            discussion: "Example: assay idaas user unbind-phones +86-13800000000")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id, a mobile number or a user name.") var user: String

        func run() async throws {
            try await options.administer(.adminUserUnbind, user: user) { [user] in try await $0.unbindPhones(of: user) }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints all stored data of a user as JSON, without secrets.",
            discussion: "Example: assay idaas user export +86-13800000000 > user.json")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id, a mobile number or a user name.") var user: String

        func run() async throws {
            let document = try await options.administer(.adminUserExport, user: user) { [user] in try await $0.exportUser(user) }
            Terminal.output.json(String(decoding: document, as: UTF8.self))
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a user and all stored data about the number.",
            discussion: "Example: assay idaas user delete +86-13800000000")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "An id, a mobile number or a user name.") var user: String

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
