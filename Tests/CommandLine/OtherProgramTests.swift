import JWTTestSupport
import Testing

/// `assay` starts the programs that build and install apart.
@Suite struct OtherProgramTests {
    /// Installs programs by links, as packages do by files.
    private static func install(_ programs: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (program, place) in programs {
            let whole = "\(folder.path)/\(place)"
            // A copy: links are followed to the program's own folder.
            _ = try Command.shell("mkdir -p \(whole) && cp \(Command.line(program, [])) \(whole)/", exits: 0)
        }
        return folder
    }

    @Test(arguments: ["serve", "config check x", "idaas", "help serve", "help idaas", "serve --help", "serve --config x --config y"])
    func aProgramThatIsNotInstalledIsNamedWithItsPackage(_ words: String) throws {
        let folder = try Self.install(["assay": "bin"])
        let outcome = try Command.shell("\(folder.path)/bin/assay \(words)", exits: 2)
        let package = words.contains("idaas") ? "assay-idaas" : "assay-gateway"
        #expect(outcome.output.isEmpty && outcome.errors.contains("comes with the package \(package), which is not installed"))
    }

    @Test(arguments: ["bin", "libexec/assay"])
    func theProgramIsBesideTheCommandOrInItsLibexecFolder(_ place: String) throws {
        let folder = try Self.install(["assay": "bin", "assay-idaas": place])
        let outcome = try Command.shell("\(folder.path)/bin/assay idaas user list --db \(folder.path)/none", exits: 2)
        #expect(outcome.errors.contains("there is no database at"), "\(outcome.errors)")
    }

    /// Not the program of the caller's folder, of the PATH or of an environment.
    @Test func noOtherPlaceIsLookedAt() throws {
        let folder = try Self.install(["assay": "bin", "assay-idaas": "elsewhere"])
        _ = try Command.shell("cd \(folder.path)/elsewhere && PATH=.:$PATH \(folder.path)/bin/assay idaas --help", exits: 2)
    }

    @Test func aLinkToTheCommandFindsThem() throws {
        let folder = try TemporaryFolder()
        _ = try Command.shell("ln -s \(Command.line([])) \(folder.path)/assay && \(folder.path)/assay help config", exits: 0)
    }

    @Test func aProgramThatCannotBeStartedIsAFailure() throws {
        let folder = try Self.install(["assay": "bin"])
        let outcome = try Command.shell(
            "printf x >\(folder.path)/bin/assay-idaas && chmod 755 \(folder.path)/bin/assay-idaas && \(folder.path)/bin/assay idaas",
            exits: 2)
        #expect(outcome.errors.contains("cannot start"))
    }

    /// The same arguments, the same process, the same exit code.
    @Test func theProgramTakesThePlaceOfTheCommand() throws {
        let outcome = try Command.shell("\(Command.line(["config", "check", "/none"])) ; echo $?")
        #expect(outcome.output.hasSuffix("2\n"))
        let words = try Command.shell(Command.line(["serve", "a b", "$HOME"]), exits: 2)
        #expect(words.errors.contains("a b") || words.errors.contains("--config"), "\(words.errors)")
    }
}
