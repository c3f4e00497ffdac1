import Foundation
import JWTTestSupport
import Testing

@Suite struct GatewayCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let good = """
        listeners:
          - {name: edge, profile: nginx, tcp: "127.0.0.1:0"}
        administration: {tcp: "127.0.0.1:0"}
        providers:
          - {name: idp, issuer: "https://idp.example", audiences: [api], required: false, keys: {file: keys.json}}
        policies:
          - {name: api, requires: idp}
        routes:
          - {path: /, policy: api}

        """

    @Test func aGoodConfigurationEndsWithZero() throws {
        let outcome = try Command.assay(["config", "check", try folder.write("gateway.yaml", Self.good)])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("1 listener, 1 provider, 1 policy, 1 route: no faults"))
    }

    @Test func everyFaultIsALineAndTheExitCodeIsTwo() throws {
        let text = Self.good.replacing("issuer:", with: "issuerr:").replacing("profile: nginx", with: "profile: ngnix")
        let file = try folder.write("gateway.yaml", text)
        for arguments in [["config", "check", file], ["serve", "--config", file]] {
            let outcome = try Command.assay(arguments)
            #expect(outcome.exitCode == 2)
            let said = outcome.output + outcome.errors
            #expect(said.contains("did you mean `issuer`?") && said.contains("did you mean `nginx`?"), "\(said)")
        }
    }

    /// One file of revocations may be for gateways with different providers, so `serve` takes it.
    @Test func anIssuerThatNoProviderHasIsAWarning() throws {
        _ = try folder.write("revocations.yaml", "revocations: [{issuer: \"https://idp.example/\", sub: a}]\n")
        let file = try folder.write("gateway.yaml", Self.good + "revocations: revocations.yaml\n")
        let outcome = try Command.assay(["config", "check", file], exits: 0)
        #expect(outcome.output.contains("warning: ") && outcome.output.contains("no faults"), "\(outcome.output)")
        #expect(outcome.output.contains("its entries revoke nothing; did you mean `https://idp.example`?"), "\(outcome.output)")
    }

    @Test func aFileThatIsNotThereIsAFault() throws {
        let outcome = try Command.assay(["config", "check", folder.path + "/absent.yaml"])
        #expect(outcome.exitCode == 2 && outcome.output.contains("there is no file \(folder.path)/absent.yaml"), "\(outcome.output)")
    }

    @Test func aSectionInPlaceOfAFileIsTold() throws {
        let file = try folder.write("gateway.yaml", Self.good + "revocations: {file: revocations.yaml}\n")
        let outcome = try Command.assay(["config", "check", file])
        #expect(outcome.exitCode == 2 && outcome.output.contains("`revocations`: the path of a file is expected"), "\(outcome.output)")
    }

    /// An empty file would leave the gateway's locations open.
    @Test func aFaultLeavesTheGatewaysFile() throws {
        let settings = try folder.write("gateway.yaml", Self.good), file = folder.path + "/nginx.conf"
        let write = ["config", "gateway", "nginx-location", "--config", settings, "--output", file]
        #expect(try Command.assay(write, exits: 0).output.isEmpty)
        let written = folder.read("nginx.conf")
        #expect(written.contains("auth_request assay_decision;"))
        let absent = try Command.assay(write.dropLast() + [folder.path + "/absent/nginx.conf"])
        #expect(absent.exitCode != 0 && absent.errors.contains("absent/nginx.conf.new"), "\(absent.errors)")
        #expect(try Command.assay(write + ["--check", file]).exitCode == 2)
        _ = try folder.write("gateway.yaml", Self.good.replacing("issuer:", with: "issuerr:"))
        #expect(try Command.assay(write).exitCode == 2)
        #expect(folder.read("nginx.conf") == written)
    }

    /// A request that such a rule lets pass is not judged.
    @Test func aRuleThatLetsRequestsPassIsNamed() throws {
        let settings = try folder.write("gateway.yaml", Self.good.replacing("profile: nginx", with: "profile: caddy"))
        let printed = try Command.assay(["config", "gateway", "haproxy", "--config", settings], exits: 0).output
        let file = try folder.write("haproxy.cfg", printed)
        let check = ["config", "gateway", "haproxy", "--config", settings, "--check", file]
        #expect(try Command.assay(check).exitCode == 0)
        _ = try folder.write(
            "haproxy.cfg", printed.replacing("    http-request lua", with: "    http-request allow if TRUE\n    http-request lua"))
        let outcome = try Command.assay(check)
        #expect(outcome.exitCode == 1 && outcome.output.contains("unexpected: http-request allow if TRUE"), "\(outcome.output)")
    }

    /// A program that waits for the first line may send the signal at once.
    @Test func aHangupReadsTheFileAgain() throws {
        let running = try RunningCommand(["serve", "--config", try folder.write("gateway.yaml", Self.good)])
        _ = try running.line(containing: "ready edge")
        running.signal("HUP")
        #expect(running.says("\"message\":\"reloaded\""), "\(running.errors)")
    }

    /// Four, and not two: systemd tries an address again, but not a faulty configuration.
    @Test func anAddressThatIsTakenEndsWithFour() throws {
        let running = try RunningCommand(["serve", "--config", try folder.write("gateway.yaml", Self.good)])
        let place = try #require(try running.line(containing: "ready edge").split(separator: " ").last)
        let file = try folder.write(
            "second.yaml", Self.good.replacing("profile: nginx, tcp: \"127.0.0.1:0\"", with: "profile: nginx, tcp: \"\(place)\""))
        let outcome = try Command.assay(["serve", "--config", file])
        #expect(outcome.exitCode == 4 && outcome.errors.contains("another socket listens there"), "\(outcome.errors)")
    }
}
