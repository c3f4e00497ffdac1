import Foundation
import JWTTestSupport
import Testing

/// The unit for systemd.
@Suite struct ServiceUnitTests {
    /// The unit's command serves with the settings and the key that its comment describes, in a folder in place of the system's.
    @Test func theCommandOfTheUnitServes() throws {
        let folder = try TemporaryFolder()
        let unit = try String(contentsOfFile: ConformanceFolder.repository + "/integrations/systemd/assay-idaas.service", encoding: .utf8)
            .replacing("/etc/assay/", with: folder.path + "/").replacing("/var/lib/assay-idaas/", with: folder.path + "/")
        let lines = unit.split(separator: "\n").map(String.init)
        let settings = lines.filter { $0.hasPrefix("#   database: ") || $0.hasPrefix("#   keyFile: ") }.map { String($0.dropFirst(4)) }
        #expect(settings.count == 2)
        let more = ["listen: 127.0.0.1:0", "sms:", "  webhook: http://127.0.0.1:9/sms", "  secretFile: \(folder.path)/secret"]
        _ = try folder.write("idaas.yaml", (settings + more).joined(separator: "\n"))
        let makesKey = try #require(lines.first { $0.contains("openssl rand") }?.split(separator: "(").last?.split(separator: ")").first)
        #expect(Shell.run("umask 077 && \(makesKey) && openssl rand -hex 32 > \(folder.path)/secret") == 0)
        let start = try #require(lines.first { $0.hasPrefix("ExecStart=") }).split(separator: " ").map(String.init)
        #expect(start.first == "ExecStart=/usr/bin/assay")
        let server = try RunningCommand(Array(start.dropFirst()))
        #expect(try server.line(containing: "ready").hasPrefix("ready http://127.0.0.1:"))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/idaas.sqlite"))
    }
}
