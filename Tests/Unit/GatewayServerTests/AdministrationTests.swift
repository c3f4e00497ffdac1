import Foundation
import GatewayServer
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import NIOCore
import Testing

@Suite struct AdministrationTests {
    @Test func readinessWaitsForKeys() async throws {
        try await RunningGateway.with(publishes: false) { gateway async throws in
            #expect(try await gateway.operate("/readyz")?.status == 503)
            #expect(try await gateway.operate("/healthz")?.status == 200)
        }
        try await RunningGateway.with { gateway async throws in #expect(try await gateway.operate("/readyz")?.status == 200) }
    }

    @Test func keysAreShownWithTheirAge() async throws {
        try await RunningGateway.with { gateway async throws in
            let answer = try #require(try await gateway.operate("/keys"))
            #expect(answer.field("content-type") == "application/json")
            for part in [
                "\"kid\":\"test-key\"", "\"thumbprint\":\"", "\"generation\":1", "\"health\":\"fresh\"", "\"nextFetchIn\":",
                "\"believedFor\":", "\"isRequired\":true", "\"providers\":[\"idp\"]",
            ] { #expect(answer.body.contains(part), "\(part) in \(answer.body)") }
        }
    }

    @Test func metricsCountDecisions() async throws {
        try await RunningGateway.with { gateway async throws in
            let token = gateway.forge.token()
            for _ in 0..<3 { _ = try await gateway.ask(bearing: token) }
            _ = try await gateway.ask()
            let answer = try #require(try await gateway.operate("/metrics"))
            #expect(answer.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
            for line in [
                "assay_gateway_decisions_total{code=\"\",outcome=\"allowed\",policy=\"api\"} 3",
                "assay_gateway_decisions_total{code=\"missing_token\",outcome=\"denied\",policy=\"api\"} 1",
                "assay_gateway_answers_total{listener=\"edge\",status=\"200\"} 3", "assay_gateway_ready 1",
                "assay_gateway_decision_duration_seconds_count{listener=\"edge\"} 4",
                "assay_gateway_decision_duration_seconds_bucket{listener=\"edge\",le=\"+Inf\"} 4",
                "# TYPE assay_gateway_token_cache_hits_total counter", "assay_gateway_token_cache_entries 1",
                "assay_gateway_reload_timestamp_seconds{file=\"configuration\"} \(gateway.clock.now.seconds)",
                "assay_engine_info{tier=\"\(Engine.tier.name)\"} 1", "assay_engine_failed_kernels 0",
                "assay_jwks_keys{source=\"https://idp.example/jwks\"} 1", "# TYPE process_resident_memory_bytes gauge",
            ] { #expect(answer.body.contains(line + "\n"), "\(line)") }
        }
    }

    @Test func anIssuerThatSendsGarbageIsSeen() async throws {
        try await RunningGateway.with { gateway async throws in
            gateway.transport.answer("https://idp.example/jwks", "<html>not keys</html>")
            for _ in 0..<40 {
                gateway.clock.advance(by: .seconds(60))
                await Self.settled()
            }
            // The keys are stale and still accepted; the failure is shown.
            let keys = try #require(try await gateway.operate("/keys")).body
            #expect(keys.contains("\"lastFailure\":\"not a key set"), "\(keys)")
            #expect(keys.contains("\"health\":\"stale\"") || keys.contains("\"health\":\"fresh\""))
        }
    }

    private static func settled() async { for _ in 0..<500 { await Task.yield() } }

    @Test func anExplanationHasNoToken() async throws {
        try await RunningGateway.with { gateway async throws in
            let token = gateway.forge.token()
            let question = "{\"method\":\"GET\",\"host\":\"api\",\"target\":\"/x\",\"fields\":[[\"Authorization\",\"Bearer \(token)x\"]]}"
            let fields = ["Content-Type: application/json"]
            let text = GatewayClient.request("POST", "/explain", host: gateway.administration, fields, body: question)
            let answer = try #require(try await GatewayClient.exchange(gateway.administration, text))
            #expect(answer.status == 200)
            #expect(answer.body.contains("\"code\":\"") && answer.body.contains("\"outcome\":\"denied\""))
            #expect(!answer.body.contains(token.prefix(30)) && !gateway.log.text.contains(token.prefix(30)))
            let plain = GatewayClient.request("POST", "/explain", host: gateway.administration, body: question)
            #expect(try await GatewayClient.exchange(gateway.administration, plain)?.status == 415)
        }
    }

    /// A name that is not an address is one that another site gave to this listener.
    @Test(arguments: [
        ("evil.example", 421), ("evil.example:9190", 421), ("127.0.0.1.evil.example", 421), ("localhost.evil.example", 421),
        ("[::1].evil.example", 421), ("[::1", 421), ("[localhost]", 421), ("localhost:evil", 421), ("127.0.0.1:80.evil", 421),
        ("127.0.0.1:80:80", 421), ("2130706433", 421), ("127.1", 421), ("127.0.0.1", 200), ("[::1]:80", 200), ("localhost:1", 200),
    ])
    func anotherSitesNameIsRefused(host: String, status: Int) async throws {
        try await RunningGateway.with { gateway async throws in
            let text = GatewayClient.request("GET", "/healthz", host: host)
            #expect(try await GatewayClient.exchange(gateway.administration, text)?.status == status)
        }
    }

    @Test func aConfiguredSiteNameIsServed() async throws {
        let text = SampleConfiguration.replacing("administration:", with: "administration:\n  hosts: [Assay.internal]")
        try await RunningGateway.with(text) { gateway async throws in
            for (host, status) in [("assay.internal:9190", 200), ("ASSAY.internal", 200), ("other.internal", 421)] {
                let text = GatewayClient.request("GET", "/metrics", host: host)
                #expect(try await GatewayClient.exchange(gateway.administration, text)?.status == status)
            }
        }
    }

    @Test(arguments: [("POST", "/keys", 405), ("GET", "/explain", 405), ("GET", "/other", 404), ("HEAD", "/healthz", 200)])
    func methodsAndPathsAreExact(method: String, path: String, status: Int) async throws {
        try await RunningGateway.with { gateway async throws in
            let channel = try await GatewayClient.connect(gateway.administration)
            let text = GatewayClient.request(method, path, host: "localhost", ["Connection: close"])
            let head = try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(.init(string: text))
                var received = ""
                for try await part in inbound { received += String(buffer: part) }
                return received
            }
            #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(head)")
        }
    }

    @Test func thePageRunsOnlyItsOwnScript() async throws {
        try await RunningGateway.with { gateway async throws in
            let answer = try #require(try await gateway.operate("/"))
            let policy = try #require(answer.field("content-security-policy"))
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-") && !policy.contains("unsafe"))
            #expect(!answer.body.contains("{{") && !answer.body.contains("https://") && !answer.body.contains("src="))
        }
    }

    @Test func adminIsTheLastToLeave() async throws {
        try await RunningGateway.with { gateway async throws in
            let channel = try await GatewayClient.connect(gateway.administration)
            try await channel.executeThenClose { inbound, outbound in
                var answers = inbound.makeAsyncIterator()
                try await outbound.write(.init(string: "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                #expect(try await answers.next().map { String(buffer: $0) }?.contains(" 200 ") == true)
                gateway.server.shutDown()
            }
            #expect(await gateway.drains())
        }
    }
}

extension RunningGateway {
    /// Whether the decision listener closes.
    fileprivate func drains() async -> Bool {
        for _ in 0..<100_000 {
            do {
                guard try await ask() != nil else { return true }
            } catch {
                return true
            }
        }
        return false
    }
}
