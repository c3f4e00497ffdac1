import Foundation
import Gateway
import GatewayServer
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// The files for operators name what the service has.
@Suite struct IntegrationFileTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").standardized
        .path

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }

    @Test func theSampleIsRight() throws {
        _ = try ServiceConfiguration(file: "\(Self.root)/Examples/gateway/gateway.yaml")
    }

    @Test func theConfigurationForEveryGatewayIsRight() throws {
        _ = try ServiceConfiguration(file: "\(Self.root)/integrations/assay.yaml")
    }

    /// Every setting that the sample shows as a comment is one.
    @Test func everyCommentedSettingIsKnown() throws {
        let text = try Self.text("Examples/gateway/gateway.yaml").replacing("#: ", with: "")
        let folder = try TemporaryFolder(), faults: [SettingsFault]
        try FileManager.default.createDirectory(atPath: folder.path + "/conf.d", withIntermediateDirectories: true)
        _ = try folder.write("partners.yaml", "# none\n")
        do {
            _ = try ServiceConfiguration(yaml: text, folder: folder.path)
            faults = []
        } catch {
            faults = error.faults
        }
        // Other files and policies that the sample names are not there.
        #expect(faults.filter { ![.invalidValue, .unknownName].contains($0.code) } == [])
    }

    /// A metric that does not exist never alerts.
    @Test(arguments: ["integrations/prometheus/assay-gateway.rules.yml", "integrations/grafana/assay-gateway.json", "Docs/Gateway.md"])
    func everyMetricExists(path: String) async throws {
        let folder = try TemporaryFolder(), listed = StatusListServiceTests.configuration
        let configuration = try IntrospectionServiceTests.introspecting(listed, folder) + SignalSample.section()
        try await RunningGateway.with(configuration) { gateway async throws in
            _ = try await gateway.ask()
            _ = try await gateway.ask(bearing: "opaque")
            _ = try await GatewayClient.get(gateway.edge, "/")
            _ = try await gateway.ask(bearing: gateway.forge.token())
            _ = try await gateway.ask(bearing: StatusListServiceTests.token(gateway.forge, 0))
            gateway.transport.answer("https://idp.example/jwks", status: 500)
            // From now on tokens pass once.
            _ = try gateway.folder.write(
                "gateway.yaml", configuration.replacing("audiences: [client-1]", with: "audiences: [client-1]\n    once: true"))
            gateway.server.reloadConfiguration()
            // Counted only when it happens, and a table of a database.
            let rare: Set = ["assay_jwks_alarms_total", "assay_uses"]
            let named = Set(try Self.text(path).matches(of: /assay_[a-z_]+[a-z]/).map { String($0.output) })
            #expect(named.count > 5)
            var missing = named
            // A refresh fails some time after it is due.
            for _ in 0..<1_000 where !missing.isEmpty {
                gateway.clock.advance(by: .seconds(60))
                for _ in 0..<500 { await Task.yield() }
                missing = named.subtracting(try await Self.published(by: gateway)).subtracting(rare)
            }
            #expect(missing == [])
        }
    }

    private static func published(by gateway: RunningGateway) async throws -> Set<String> {
        let metrics = try #require(try await gateway.operate("/metrics")).body
        return Set(metrics.matches(of: /assay_[a-z_]+/).map { String($0.output) })
    }

    @Test(.enabled(if: Shell.run("command -v promtool > /dev/null") == 0))
    func promtoolAcceptsTheRules() {
        let folder = Shell.quoted(Self.root + "/integrations/prometheus")
        #expect(Shell.run("cd \(folder) && promtool check rules assay-gateway.rules.yml > /dev/null") == 0)
        #expect(Shell.run("cd \(folder) && promtool test rules assay-gateway.test.yml > /dev/null") == 0)
    }

    @Test(.enabled(if: Shell.run("command -v systemd-analyze > /dev/null") == 0))
    func systemdAcceptsTheUnits() throws {
        let folder = try TemporaryFolder()
        // The unit names the installed command, which is not there.
        let names = ["assay-gateway.service", "assay-gateway.socket", "assay-idaas.service"]
        for name in names {
            let text = try Self.text("integrations/systemd/\(name)").replacing("/usr/bin/assay", with: "/bin/true")
            _ = try folder.write(name, text)
        }
        let status = Shell.run(
            "cd \(folder.path) && systemd-analyze verify --man=no \(names.map { "./" + $0 }.joined(separator: " ")) > out 2>&1")
        #expect(status == 0 && folder.read("out").isEmpty, "\(folder.read("out"))")
    }
}
