import GatewayServer
import JWKSTestSupport
import JWTTestSupport
import Testing

/// A service whose tokens pass once.
@Suite struct ReplayServiceTests {
    private static func token(_ forge: TokenForge, _ name: String) -> String {
        forge.token(TokenForge.idToken.replacing("\"nonce\"", with: "\"jti\":\"\(name)\",\"nonce\""))
    }

    private static func ask(_ gateway: RunningGateway, _ name: String) async throws -> String {
        let answer = try #require(try await gateway.ask(bearing: token(gateway.forge, name)))
        return "\(answer.status) \(answer.field("x-assay-code") ?? "-")"
    }

    @Test func aTokenPassesOnceAndIsCounted() async throws {
        try await RunningGateway.with(ReplaySettingsTests.sample("replay: {memory: {entries: 4}}\n")) { gateway async throws in
            #expect(try await Self.ask(gateway, "0") == "200 -")
            for _ in 0..<2 { #expect(try await Self.ask(gateway, "0") == "401 replayed") }
            for number in 1..<8 { #expect(try await Self.ask(gateway, "\(number)") == "200 -") }
            // nginx takes no 503 from the service.
            #expect(try await Self.ask(gateway, "8") == "403 replay_memory_unavailable")
            let metrics = try #require(try await gateway.operate("/metrics")).body
            for line in [
                "assay_gateway_replay_uses_total{result=\"first\"} 8", "assay_gateway_replay_uses_total{result=\"replayed\"} 2",
                "assay_gateway_replay_uses_total{result=\"replay_memory_full\"} 1", "assay_gateway_replay_entries 8",
                "assay_gateway_replay_entries_promised 4",
                "assay_gateway_decisions_total{code=\"replayed\",outcome=\"denied\",policy=\"api\"} 2",
            ] { #expect(metrics.contains(line + "\n"), "\(line)") }
        }
    }

    @Test func aReloadKeepsWhatWasUsed() async throws {
        try await RunningGateway.with(SampleConfiguration.text) { gateway async throws in
            for _ in 0..<2 { #expect(try await Self.ask(gateway, "0") == "200 -") }
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(!metrics.contains("assay_gateway_replay"))
            _ = try gateway.folder.write("gateway.yaml", ReplaySettingsTests.sample())
            gateway.server.reloadConfiguration()
            #expect(try await Self.ask(gateway, "0") == "200 -")
            _ = try gateway.folder.write("gateway.yaml", ReplaySettingsTests.sample("# again\n"))
            gateway.server.reloadConfiguration()
            #expect(try await Self.ask(gateway, "0") == "401 replayed")
        }
    }

    /// A memory in this process would let tokens through that another gateway of the store has seen.
    @Test func aReloadThatFirstNeedsAMemoryTakesItsPlace() async throws {
        try await RunningGateway.with(SampleConfiguration.text) { gateway async throws in
            let store = "replay: {valkey: 'redis://127.0.0.1:1', timeoutMilliseconds: 200}\n"
            _ = try gateway.folder.write("gateway.yaml", ReplaySettingsTests.sample(store))
            gateway.server.reloadConfiguration()
            #expect(try await Self.ask(gateway, "0") == "403 replay_memory_unavailable")
            #expect(!gateway.log.all.contains { $0.contains("these settings count after a restart") })
            _ = try gateway.folder.write("gateway.yaml", ReplaySettingsTests.sample())
            gateway.server.reloadConfiguration()
            #expect(try await Self.ask(gateway, "0") == "403 replay_memory_unavailable")
            #expect(gateway.log.all.contains { $0.contains("these settings count after a restart") })
        }
    }

    /// Nothing listens at the place of the store.
    @Test(arguments: ["database: 'postgresql://127.0.0.1:1/x'", "valkey: 'redis://127.0.0.1:1'"])
    func withoutItsStoreNoTokenPasses(store: String) async throws {
        let text = ReplaySettingsTests.sample("replay: {\(store), timeoutMilliseconds: 200}\n")
        try await RunningGateway.with(text) { gateway async throws in
            for number in 0..<3 { #expect(try await Self.ask(gateway, "\(number)") == "403 replay_memory_unavailable") }
            let lines = gateway.log.all.filter { $0.contains("the memory of uses gives no answer") }
            #expect(lines.count == 1)
        }
    }
}
