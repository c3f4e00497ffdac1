import Foundation
import GatewayServer
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

@Suite struct ReloadTests {
    private static let open = SampleConfiguration.replacing("requires: idp", with: "requires: nothing")

    @Test func aChangedFileCountsWithoutALostRequest() async throws {
        try await RunningGateway.with { gateway async throws in
            #expect(try await gateway.ask()?.status == 401)
            // Questions that go on while the configuration changes: each has an answer, of the old or of the new one.
            async let asked = Self.statuses(of: gateway, count: 200)
            _ = try gateway.folder.write("gateway.yaml", Self.open)
            let isReloaded = await gateway.lookTwice { gateway.log.text.contains("\"message\":\"reloaded\"") }
            #expect(isReloaded)
            #expect(try await Set(asked).isSubset(of: [200, 401]))
            #expect(try await gateway.ask()?.status == 200)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("assay_gateway_reloads_total{file=\"configuration\",result=\"succeeded\"} 1\n"))
            #expect(metrics.contains("assay_gateway_configuration_generation 2\n"))
        }
    }

    private static func statuses(of gateway: RunningGateway, count: Int) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count { statuses.append(try await gateway.ask()?.status ?? 0) }
        return statuses
    }

    /// What an editor, a full disk or a mistake leaves. The old configuration stays in force.
    @Test(arguments: [
        "", "listeners:\n  - name: ed", "policies: [", "a: &a [*a]", "listeners: *x",
        SampleConfiguration.text.replacing("realm: api", with: "shadow: api"),
        SampleConfiguration.text.replacing("issuer: https://idp.example", with: "issuer: ftp://idp.example\n    anyAudience: 3"),
        SampleConfiguration.text + String(repeating: "# more\n", count: 200_000),
    ])
    func aBrokenFileChangesNothing(text: String) async throws {
        try await RunningGateway.with { gateway async throws in
            _ = try gateway.folder.write("gateway.yaml", text)
            gateway.server.reloadConfiguration()
            #expect(gateway.log.text.contains("\"message\":\"not reloaded\""))
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("assay_gateway_configuration_current 0\n"))
            #expect(metrics.contains("assay_gateway_configuration_generation 1\n"))
            #expect(try #require(try await gateway.operate("/status.json")).body.contains("\"faults\":[\""))
            // The next good file counts.
            _ = try gateway.folder.write("gateway.yaml", Self.open)
            gateway.server.reloadConfiguration()
            #expect(try await gateway.ask()?.status == 200)
        }
    }

    /// It is told once, until the file is back: the next start would fail.
    @Test(arguments: ["gateway.yaml", "revocations.yaml"]) func aFileThatIsGoneChangesNothingAndIsTold(_ name: String) async throws {
        let folder = try TemporaryFolder(), kind = name == "gateway.yaml" ? "configuration" : "revocations"
        _ = try folder.write("revocations.yaml", "revocations: [{sub: nobody}]\n")
        let text = SampleConfiguration.text + "revocations: revocations.yaml\n"
        try await RunningGateway.with(text, folder: folder) { gateway async throws in
            let path = "\(folder.path)/\(name)"
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            for _ in 0..<3 { _ = await gateway.lookTwice { false } }
            #expect(gateway.log.all.count { $0.contains("the file is gone") } == 1)
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("assay_gateway_\(kind)_current 0\n") && metrics.contains("assay_gateway_revocations 1\n"))
            // The same file, with its old time.
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            let isReloaded = await gateway.lookTwice { gateway.log.text.contains("\"message\":\"reloaded\"") }
            #expect(isReloaded)
            #expect(try #require(try await gateway.operate("/metrics")).body.contains("assay_gateway_\(kind)_current 1\n"))
        }
    }

    /// A list with a fault leaves the one before it in force, and says so until it is whole.
    @Test func brokenRevocationsAreToldUntilTheyAreWhole() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("revocations.yaml", "revocations: []\n")
        let text = SampleConfiguration.text + "revocations: revocations.yaml\n"
        try await RunningGateway.with(text, folder: folder) { gateway async throws in
            for (list, value) in [("revocations: [", 0), ("revocations: [{}]", 0), ("revocations: []\n# whole", 1)] {
                _ = try folder.write("revocations.yaml", list)
                _ = await gateway.lookTwice { false }
                #expect(try #require(try await gateway.operate("/metrics")).body.contains("assay_gateway_revocations_current \(value)\n"))
            }
        }
    }

    /// An editor that writes in place leaves a part that is a configuration of its own.
    @Test func aFileThatGrowsIsReadAtItsEnd() async throws {
        try await RunningGateway.with { gateway async throws in
            for line in 0..<8 {
                _ = try gateway.folder.write("gateway.yaml", Self.open + String(repeating: "# more\n", count: line))
                await gateway.look()
            }
            #expect(!gateway.log.text.contains("reloaded"))
            #expect(try await gateway.ask()?.status == 401)
            let isReloaded = await gateway.lookTwice { gateway.log.text.contains("\"message\":\"reloaded\"") }
            #expect(isReloaded)
            #expect(try await gateway.ask()?.status == 200)
        }
    }

    @Test func anUnchangedIssuerKeepsItsKeys() async throws {
        try await RunningGateway.with { gateway async throws in
            let fetches = gateway.transport.requests.count
            _ = try gateway.folder.write("gateway.yaml", SampleConfiguration.replacing("realm: api", with: "realm: other"))
            gateway.server.reloadConfiguration()
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            #expect(gateway.transport.requests.count == fetches)
        }
    }

    /// The process keeps its listeners, however often the file is read.
    @Test func aNewListenerNeedsARestart() async throws {
        try await RunningGateway.with { gateway async throws in
            let text = SampleConfiguration.replacing("name: edge", with: "name: other")
            for change in [text, text.replacing("realm: api", with: "realm: other")] {
                _ = try gateway.folder.write("gateway.yaml", change)
                gateway.server.reloadConfiguration()
                let status = try #require(try await gateway.operate("/status.json")).body
                #expect(status.contains("\"restartNeeded\":[\"listeners\"]"))
                #expect(status.contains("\"name\":\"edge\"") && !status.contains("\"name\":\"other\""))
                #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            }
        }
    }

    /// A gauge that is not set any more would keep its value, and alerts on it.
    @Test func anIssuerThatIsGoneHasNoMetrics() async throws {
        try await RunningGateway.with { gateway async throws in
            #expect(try #require(try await gateway.operate("/metrics")).body.contains("source=\"https://idp.example/jwks\""))
            _ = try gateway.folder.write("gateway.yaml", SampleConfiguration.text.replacing("idp.example/jwks", with: "idp.example/keys"))
            gateway.server.reloadConfiguration()
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("source=\"https://idp.example/keys\"") && !metrics.contains("source=\"https://idp.example/jwks\""))
        }
    }

    @Test func aReloadOnDemandIsNotRepeated() async throws {
        try await RunningGateway.with { gateway async throws in
            _ = try gateway.folder.write("gateway.yaml", Self.open)
            gateway.server.reloadConfiguration()
            let isRepeated = await gateway.lookTwice { gateway.log.all.count { $0.contains("\"message\":\"reloaded\"") } > 1 }
            #expect(!isRepeated)
        }
    }

    /// Between the first reading and the first look of the watch.
    @Test func aChangeAfterTheReadingIsSeen() throws {
        let folder = try TemporaryFolder()
        var file = WatchedFile(try folder.write("a", "1"))
        func looks() -> [Bool] { [file.look() == .changed, file.look() == .changed] }
        #expect(looks() == [false, false])
        _ = try folder.write("a", "22")
        #expect(looks() == [false, true])
        try FileManager.default.removeItem(atPath: folder.path + "/a")
        #expect(looks() == [false, false])
    }

    /// A copy that keeps dates, as from a backup or of an image whose files all have one date, may have the size and the date of the file
    /// before it, and its inode.
    @Test func aChangeOfNeitherSizeNorDateIsSeen() throws {
        let folder = try TemporaryFolder(), path = try folder.write("a", "1")
        func keepDate() throws {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
        }
        try keepDate()
        var file = WatchedFile(path), isSeen = false
        // The clock of files has steps: a change within that of the one before looks like it.
        for number in 0..<500 where !isSeen {
            try "\(number % 10)".write(toFile: path, atomically: false, encoding: .utf8)
            try keepDate()
            isSeen = file.look() == .changed || file.look() == .changed
        }
        #expect(isSeen)
    }

    /// The configuration waits for its revocations.
    @Test func aRepairedRevocationFileBringsTheConfiguration() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("revocations.yaml", "revocations: []\n")
        let text = SampleConfiguration.text + "revocations: revocations.yaml\n"
        try await RunningGateway.with(text, folder: folder) { gateway async throws in
            _ = try folder.write("revocations.yaml", "revocations: [")
            _ = try folder.write("gateway.yaml", text.replacing("requires: idp", with: "requires: nothing"))
            gateway.server.reloadConfiguration()
            #expect(try await gateway.ask()?.status == 401)
            _ = try folder.write("revocations.yaml", "revocations: []\n")
            let isReloaded = await gateway.lookTwice { gateway.log.text.contains("\"message\":\"reloaded\"") }
            #expect(isReloaded)
            #expect(try await gateway.ask()?.status == 200)
        }
    }

    /// The operator names the file first and writes it afterwards.
    @Test func aConfigurationThatLacksItsRevocationsIsReadAgainWithThem() async throws {
        let folder = try TemporaryFolder()
        try await RunningGateway.with(SampleConfiguration.text, folder: folder) { gateway async throws in
            _ = try folder.write("gateway.yaml", SampleConfiguration.text + "revocations: revocations.yaml\n")
            gateway.server.reloadConfiguration()
            #expect(gateway.log.text.contains("\"message\":\"not reloaded\""))
            _ = try folder.write("revocations.yaml", "revocations:\n  - sub: \"248289761001\"\n")
            let isReloaded = await gateway.lookTwice { gateway.log.text.contains("\"message\":\"reloaded\"") }
            #expect(isReloaded)
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.field("x-assay-code") == "revoked")
        }
    }

    @Test func revocationsAreReadByThemselves() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("revocations.yaml", "revocations: []\n")
        try await RunningGateway.with(SampleConfiguration.text + "revocations: revocations.yaml\n", folder: folder) {
            gateway async throws in
            let token = gateway.forge.token()
            #expect(try await gateway.ask(bearing: token)?.status == 200)
            _ = try folder.write("revocations.yaml", "revocations:\n  - sub: \"248289761001\"\n")
            let isRead = await gateway.lookTwice { gateway.log.text.contains("\"file\":\"revocations\"") }
            #expect(isRead)
            let answer = try await gateway.ask(bearing: token)
            #expect(answer?.status == 401 && answer?.field("x-assay-code") == "revoked")
            // A broken list revokes what the last good one revoked.
            _ = try folder.write("revocations.yaml", "revocations: [")
            gateway.server.reloadConfiguration()
            #expect(try await gateway.ask(bearing: token)?.field("x-assay-code") == "revoked")
        }
    }

    /// One file may be for gateways with different providers.
    @Test func anIssuerThatNoProviderHasIsNamedAndTheOtherEntriesCount() async throws {
        let folder = try TemporaryFolder()
        let idle = "revocations:\n  - {issuer: \"https://idp.example/\", sub: a}\n  - {issuer: \"https://idp.example/\", sub: b}\n"
        _ = try folder.write("revocations.yaml", idle)
        try await RunningGateway.with(SampleConfiguration.text + "revocations: revocations.yaml\n", folder: folder) {
            gateway async throws in
            let warning = "the issuer `https://idp.example/`: its entries revoke nothing; did you mean `https://idp.example`?"
            #expect(gateway.log.all.count(where: { $0.contains(warning) }) == 1)
            let token = gateway.forge.token()
            #expect(try await gateway.ask(bearing: token)?.status == 200)
            _ = try folder.write("revocations.yaml", idle + "  - {issuer: \"https://idp.example\", sub: \"248289761001\"}\n")
            let isRead = await gateway.lookTwice { gateway.log.text.contains("\"file\":\"revocations\"") }
            #expect(isRead)
            #expect(try await gateway.ask(bearing: token)?.field("x-assay-code") == "revoked")
            #expect(gateway.log.all.count(where: { $0.contains(warning) }) == 2)
        }
    }
}
