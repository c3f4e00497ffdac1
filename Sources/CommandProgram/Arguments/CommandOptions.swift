internal import ArgumentParser
internal import JWTCore

/// The commands of a program with their options, as the argument parser describes them to tools.
struct CommandOptions: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let isRepeating: Bool
        let names: [Name]?

        /// The names as a user writes them, without short ones.
        var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map { "--\($0.name)" } }
    }

    let commandName: String
    let subcommands: [CommandOptions]?
    /// The subcommand that counts if none is named.
    let defaultSubcommand: String?
    let arguments: [Argument]?

    var longNames: [String] { (arguments ?? []).flatMap(\.longNames) }

    private struct Dump: Decodable {
        let command: CommandOptions
    }

    /// The command that `arguments` name, and the names of its parents; nil if the description has another format.
    static func command(in arguments: [String], of root: any ParsableCommand.Type) -> CommandOptions? {
        guard var command = try? JSONTree.decode(Dump.self, from: Array(root._dumpHelp().utf8)).command else { return nil }
        for argument in beforeTerminator(arguments) {
            guard let next = command.subcommands?.first(where: { $0.commandName == argument }) else { continue }
            command = next
        }
        let meant = command.defaultSubcommand
        return command.subcommands?.first { $0.commandName == meant } ?? command
    }

    /// Whether the failure of a command is printed as a JSON document.
    static func asksForJSON(_ arguments: [String]) -> Bool { beforeTerminator(arguments).contains("--json") }

    /// What follows `--` are values.
    private static func beforeTerminator(_ arguments: [String]) -> ArraySlice<String> { arguments.prefix { $0 != "--" } }

    /// The argument parser would take the last value of an option that is given twice: of two issuers, one would not be checked.
    ///
    /// - Throws: a usage error that names the option.
    static func refuseRepeated(in arguments: [String], of root: any ParsableCommand.Type) throws(CommandFailure) {
        let given = beforeTerminator(arguments).filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        // An option with two names is repeated by its other name. Describing the commands takes as long as the start of the program, so it
        // is done only where it may matter. A test compares these names with the description.
        let aliases: Set = ["--at", "--now"]
        guard Set(given).count < given.count || aliases.isSubset(of: given), let command = command(in: arguments, of: root) else { return }
        for option in command.arguments ?? [] where option.kind == "option" && !option.isRepeating {
            let uses = given.filter(option.longNames.contains)
            guard uses.count > 1 else { continue }
            let names = Set(uses).sorted().joined(separator: " or ")
            throw .usage("\(names) is given \(uses.count == 2 ? "twice" : "\(uses.count) times"), and takes one value")
        }
    }

    // Help, version and completion scripts

    /// The words for which the argument parser prints a text instead of running a command.
    private static let wordsForText: Set = [
        "--help", "-h", "-help", "--help-hidden", "-help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]

    /// The first argument that asks for a text.
    static func wordForText(in arguments: [String]) -> String? {
        beforeTerminator(arguments).map { String($0.prefix { $0 != "=" }) }.first(where: wordsForText.contains)
    }

    /// Whether `arguments` name a command and a text about it, and nothing else: `verify --help`, `help verify`,
    /// `--generate-completion-script bash`.
    static func asksOnlyForText(_ arguments: [String], of root: any ParsableCommand.Type) -> Bool {
        guard let word = wordForText(in: arguments) else { return arguments.first == "help" && isCommand(arguments.dropFirst(), of: root) }
        let rest = arguments.prefix { String($0.prefix { $0 != "=" }) != word }
        let after = arguments.dropFirst(rest.count + 1)
        return isCommand(rest, of: root) && (after.isEmpty || word == "--generate-completion-script" && after.count == 1)
    }

    /// Whether each of `names` is a command of the one before it.
    private static func isCommand(_ names: ArraySlice<String>, of root: any ParsableCommand.Type) -> Bool {
        guard var command = try? JSONTree.decode(Dump.self, from: Array(root._dumpHelp().utf8)).command else { return false }
        for name in names {
            guard let next = command.subcommands?.first(where: { $0.commandName == name }) else { return false }
            command = next
        }
        return true
    }

    // Suggestions

    /// The argument parser's message, with this program's suggestion: its own looks only at the number of edits, and would answer `--aud`
    /// with the shortest option there is.
    static func corrected(_ message: String, _ arguments: [String], of root: any ParsableCommand.Type) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, let command = command(in: arguments, of: root) else { return message }
        if let name = first.quotedWord(after: "Error: Unknown option ") {
            lines[0] = "Error: Unknown option '\(name)'" + suggestion(name, command.longNames)
        } else if let name = first.quotedWord(after: "Error: Unexpected argument "), let commands = command.subcommands {
            lines[0] = "Error: there is no command '\(name)'" + suggestion(name, commands.map(\.commandName))
        }
        return lines.joined(separator: "\n")
    }

    private static func suggestion(_ name: String, _ names: [String]) -> String {
        Suggestion.nearest(to: name, among: names).map { ". Did you mean '\($0)'?" } ?? ""
    }
}

extension String {
    /// The word in quotes that follows `prefix` at the start of this text.
    fileprivate func quotedWord(after prefix: String) -> String? {
        guard hasPrefix(prefix + "'") else { return nil }
        return String(dropFirst(prefix.count + 1).prefix { $0 != "'" })
    }
}
