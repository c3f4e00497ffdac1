import JWTCore
import JWTTestSupport
import Testing

/// Only a verified token ends `verify` with 0: not a command that cannot read its arguments, and none that a token has turned into another.
@Suite struct ArgumentListTests {
    /// A folder over /proc: there is no /proc/self/cmdline, which Swift's runtime reads for the arguments.
    private static let withoutProcesses = "unshare --map-root-user --mount bash -c 'mount -t tmpfs none /proc && exec \"$@\"' bash"
    private static let frozen = "LD_PRELOAD=$(dpkg -L libfaketime | grep 'libfaketime.so' | head -n 1) FAKETIME='@2023-11-14 22:15:00'"

    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)
    private let keys: String

    init() throws {
        folder = try TemporaryFolder()
        keys = try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}")
    }

    @Test func argumentsAreReadUnderAFalseClock() throws {
        let verify = Command.line(["verify", "--keys", keys, "--no-claims"])
        let refused = try Command.shell("\(Self.frozen) \(verify) garbage", exits: 1)
        #expect(refused.output.isEmpty && refused.errors.hasPrefix("refused malformed_token"))
        let valid = try Command.shell("\(Self.frozen) \(verify) \(forge.token())", exits: 0)
        #expect(valid.output.contains("\"iss\""))
        let wrong = try Command.shell("\(Self.frozen) \(Command.line(["verify", "--keys"])) ", exits: 2)
        #expect(wrong.errors.hasPrefix("Error: Missing value for '--keys"))
    }

    /// Dispatch would end some runs by a signal.
    @Test(arguments: [["verify", "--keys", "none", "garbage"], [], ["--help"]])
    func withoutProcNothingBegins(_ arguments: [String]) throws {
        let outcome = try Command.shell("\(Self.withoutProcesses) \(Command.line(arguments))", exits: 5)
        #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("Error: this program needs /proc: "))
    }

    @Test(arguments: ["assay", "bench", "loopback-provider", "login-walk", "idaas-load", "idaas-crash", "key-cache-simulation"])
    func anEmptyListIsWrongUsage(_ program: String) throws {
        let start = "import ctypes, sys; ctypes.CDLL(None).execv(sys.argv[1].encode(), (ctypes.c_char_p * 1)(None))"
        let outcome = try Command.shell("python3 -c \(Shell.quoted(start)) \(Command.line(program, []))", exits: 2)
        #expect(outcome.output.isEmpty && outcome.errors == "Error: the arguments of this program cannot be read\n", "\(outcome.errors)")
    }

    @Test(arguments: [[], ["idaas"], ["idaas", "keys"], ["login"], ["session"], ["mfa"], ["config"]])
    func aCommandWithoutItsSubcommandIsWrongUsage(_ command: [String]) throws {
        let outcome = try Command.assay(command, exits: 2)
        #expect(outcome.output.isEmpty && outcome.errors.contains("SUBCOMMANDS:"))
        #expect(outcome.errors.hasSuffix("Error: name a command\n"))
    }

    /// A script puts a token that somebody sent behind the options.
    @Test(arguments: ["--help", "-h", "--version", "--help-hidden", "--experimental-dump-help", "--generate-completion-script=bash"])
    func aTokenThatAsksForHelpIsRefused(_ token: String) throws {
        let outcome = try Command.assay(["verify", "--keys", keys, token])
        #expect(outcome.exitCode == 2 && outcome.output.isEmpty)
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["help"], ["help", "verify"], ["verify", "--help"], ["keys", "new", "--help"], ["--version"],
        ["--generate-completion-script", "bash"], ["--generate-completion-script=zsh"],
    ])
    func helpAloneIsPrinted(_ arguments: [String]) throws {
        #expect(try !Command.assay(arguments, exits: 0).output.isEmpty)
    }

    @Test func anArgumentThatIsNotUTF8IsWrongUsage() throws {
        let outcome = try Command.shell("\(Command.line(["verify", "--keys", keys])) --audience $'\\xff' a.b.c", exits: 2)
        #expect(outcome.errors == "Error: argument 5 is not UTF-8\n")
    }
}
