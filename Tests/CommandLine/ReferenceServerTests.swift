import Foundation
import JWTTestSupport
import Testing

/// The reference server as `make serve` starts it, and a login that leaves no files behind.
@Suite struct ReferenceServerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs `commands` while a server of this folder runs.
    private func beside(_ commands: String) throws -> Command.Outcome {
        try Command.shell(
            """
            export ASSAY=\(Command.line([])) TMPDIR=\(folder.path)/tmp
            mkdir -p $TMPDIR \(folder.path)/data
            . scripts/idaas.sh
            start_idaas \(folder.path)/data || exit 1
            trap 'kill $first; wait $first' EXIT
            first=$idaas_pid
            \(commands)
            """)
    }

    @Test func aSecondServerLeavesTheFilesOfTheFirst() throws {
        let outcome = try beside(
            """
            before=$(cat \(folder.path)/data/idaas.out)
            start_idaas \(folder.path)/data && echo started
            [ "$before" = "$(cat \(folder.path)/data/idaas.out)" ] && [ -e \(folder.path)/data/idaas.log ] && echo left
            \(Command.line(["keys"])) $idaas_url/api/v1/oauth2/keys >/dev/null; kill -0 $first && echo runs
            """)
        #expect(outcome.output == "left\nruns\n")
        #expect(outcome.errors.contains("A reference IDaaS already uses \(folder.path)/data: ready http://127.0.0.1:"))
    }

    @Test func aServerStartsAgainOnceTheFirstHasEnded() throws {
        let outcome = try beside(
            """
            kill -9 $first; wait $first
            start_idaas \(folder.path)/data && echo started
            first=$idaas_pid
            """)
        #expect(outcome.output == "started\n")
    }

    /// Without a terminal the slider's pictures are files, in a folder that is removed unless the user named one.
    @Test func picturesAreRemoved() throws {
        let login = Command.line(["login", "sms", "--client", "demo", "--mobile", "13800000000", "--store", folder.path + "/store"])
        let outcome = try beside(
            """
            mkdir \(folder.path)/here; cd \(folder.path)/here
            echo | \(login) --domain $idaas_url
            echo | \(login) --domain $idaas_url --slider png:mine.png 2>/dev/null
            ls $TMPDIR; ls
            """)
        #expect(outcome.output == "mine.piece.png\nmine.png\n")
        #expect(outcome.errors.contains("The slider cannot be drawn here: this is no terminal."))
        #expect(outcome.errors.contains("The picture is \(folder.path)/tmp/assay-slider-"))
    }

    /// The command distinguishes a new picture after `r` from one after a wrong answer.
    @Test func eachNewPictureHasItsReason() throws {
        let login = Command.line(["login", "sms", "--client", "demo", "--mobile", "13800000000", "--store", folder.path + "/store"])
        let outcome = try beside("printf 'r\\n0\\n\\n' | \(login) --domain $idaas_url")
        #expect(outcome.errors.ranges(of: "Another picture:").count == 1)
        #expect(outcome.errors.ranges(of: "The server did not accept the position. A new picture:").count == 1)
    }

    /// The server does not store names with other control characters.
    @Test(arguments: [[], ["--json"]]) func namesOfClientsAreEscaped(_ more: [String]) throws {
        let options = ["--dev", "--db", folder.path + "/data/idaas.sqlite"] + more
        let add = Command.line(["idaas", "client", "add", "--name", "a\u{feff}\u{e0001}b"] + options)
        let outcome = try beside("\(add) && \(Command.line(["idaas", "client", "list"] + options))")
        #expect(outcome.exitCode == 0)
        PrintableTextTests.expectHarmless(outcome, shows: "a\\ufeff\\udb40\\udc01b")
    }
}
