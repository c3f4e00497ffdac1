#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import JWTCore
import Logging
import LoopbackServer
import Testing

@Suite("Running the server")
struct OperationsTests {
    private static let mobile = "+86-13812340000"

    @Test("Health, readiness and metrics answer, and the metrics count what was answered")
    func operations() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
            #expect(try await wire.send("GET", "/healthz", []).text == #"{"status":"ok"}"#)
            #expect(try await wire.send("GET", "/readyz", []).text == #"{"status":"ready"}"#)
            for _ in 0..<3 { _ = try await wire.get("/api/v2/sdk/server-date") }
            _ = try await wire.get("/nothing/13800000000")
            _ = try await wire.delete("/api/v2/sdk/sessions/abc")
            let text = try await wire.send("GET", "/metrics", [])
            #expect(text.field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            #expect(text.text.contains(#"http_requests_total{method="GET",route="/api/v2/sdk/server-date",status="200"} 3"#))
            #expect(text.text.contains(#"http_requests_total{method="DELETE",route="/api/v2/sdk/sessions/{id}",status="400"} 1"#))
            #expect(text.text.contains(#"http_request_duration_seconds_count{method="GET",route="/api/v2/sdk/server-date"} 3"#))
            #expect(text.text.contains(#"idaas_steps_total{outcome="IDAAS.SDK.COMMON.1001",step="session.end"} 1"#))
            #expect(!text.text.contains("13800000000"))
        }
    }

    @Test("Readiness is looked at once a second, however often it is asked for")
    func rememberedReadiness() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
            #expect(try await wire.send("GET", "/readyz", []).status == 200)
            try server.spoilStore()
            server.clock.advance(milliseconds: 999)
            #expect(try await wire.send("GET", "/readyz", []).status == 200)
            server.clock.advance(milliseconds: 1)
            for _ in 0..<2 { #expect(try await wire.send("GET", "/readyz", []).status == 503) }
        }
    }

    @Test("Who asks for readiness while it is looked at waits for that look")
    func oneCheck() async throws {
        let gate = HeldGateway()
        let checks = Locked(0)
        let clock = ManualClock()
        let readiness = Readiness(clock: clock) {
            checks.withLock { $0 += 1 }
            await gate.pass()
        }
        let first = Task { await readiness.isReady() }
        await gate.arrival()
        let others = (0..<16).map { _ in Task { await readiness.isReady() } }
        await gate.release()
        #expect(await first.value)
        for other in others { #expect(await other.value) }
        #expect(checks.withLock { $0 } == 1)
        clock.advance(by: 1)
        #expect(await readiness.isReady())
        #expect(checks.withLock { $0 } == 2)
    }

    @Test("Metrics are there for the configured readers alone")
    func readers() async throws {
        try await LiveServer.with {
            $0.metrics.readers = ["192.0.2.1"]
        } _: { server in
            let status = try await server.wire().send("GET", "/metrics", []).status
            #expect(status == 404)
        }
    }

    @Test("Development's endpoints want the token, loopback's name and no proxy, and otherwise are not there")
    func development() async throws {
        try await LiveServer.with(gateway: nil) {
            $0.development = true
        } _: { server in
            let token = try #require(server.ready.developmentToken)
            let key = [("X-Assay-Dev", token)]
            let wire = server.wire()
            try await server.sendCode(to: Self.mobile, with: wire)
            let path = "/__dev/outbox?mobile=%2B86-13812340000"
            let outbox = try await wire.send("GET", path, key)
            let messages = try #require(outbox.json["messages"] as? [[String: Any]])
            #expect(messages.count == 1)
            #expect(messages.first?["mobile"] as? String == Self.mobile && (messages.first?["code"] as? String)?.count == 6)
            #expect(try await wire.send("GET", "/__dev/outbox?mobile=%2B86-13800000009", key).json["messages"] as? [String] == [])
            for fields in [[], [("X-Assay-Dev", "x")], key + [("X-Forwarded-For", "127.0.0.1")], key + [("Host", "evil.example")]] {
                let reply = try await wire.send("GET", path, fields)
                #expect(reply.status == 404 && !reply.text.contains("13812340000"))
            }
            for method in ["GET", "HEAD", "POST", "PUT", "OPTIONS"] {
                for path in ["/__dev/outbox", "/__dev/clock", "/__dev/nothing"] {
                    let reply = try await wire.send(method, path, [("Host", "evil.example")], body: method == "POST" ? [] : nil)
                    #expect(reply.status == 404 && reply.field("Allow") == nil, "\(method) \(path)")
                }
            }
            let large = try await wire.send("POST", "/__dev/clock", [], body: [UInt8](repeating: 0x20, count: 70_000))
            #expect(large.status == 404)
            let before = Int(try await wire.get("/api/v2/sdk/server-date").string("timestamp") ?? "") ?? 0
            let moved = try await wire.send(
                "POST", "/__dev/clock", key + [("Content-Type", "application/json")], body: Array(#"{"advance":3600}"#.utf8))
            #expect(moved.string("timestamp") == String(before + 3_600_000))
            let back = try await wire.send(
                "POST", "/__dev/clock", key + [("Content-Type", "application/json")], body: Array(#"{"advance":-1}"#.utf8))
            #expect(back.status == 400)
        }
    }

    @Test("Without development its endpoints are 404 with or without a token")
    func noDevelopment() async throws {
        try await LiveServer.with { server in
            #expect(server.ready.developmentToken == nil)
            for path in ["/__dev/outbox", "/__dev/clock"] {
                let status = try await server.wire().send("GET", path, [("X-Assay-Dev", "")]).status
                #expect(status == 404)
                #expect(try await server.wire().send("POST", path, [("X-Assay-Dev", "")], body: []).status == 404)
            }
        }
    }

    @Test("Each step leaves one event with request, client, masked subject and outcome")
    func audit() async throws {
        try await LiveServer.with { server in
            var wire = server.wire()
            wire.extraFields = [("X-Request-Id", "r-7")]
            let tokens = try await server.logIn(Self.mobile)
            _ = try await wire.login(Self.mobile, code: "000000")
            _ = try await wire.refresh(tokens.sessionToken)
            _ = try await wire.logOut(tokens.sessionToken)
            let events = try server.auditLines.map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
            }
            #expect(
                events.map { "\($0["event"] ?? "") \($0["outcome"] ?? "")" } == [
                    "captcha.challenge ok", "captcha.check ok", "sms.send ok", "login.sms ok", "login.sms IDAAS.SDK.SMS.1005",
                    "session.refresh ok", "session.logout ok",
                ])
            for event in events { #expect(event["client"] == "demo" && event["address"] == "127.0.0.1") }
            #expect(events[4]["request_id"] == "r-7" && events[4]["subject"] == "+86-138****0000")
            #expect(events[3]["user"]?.isEmpty == false && events[3]["sid"]?.isEmpty == false)
        }
    }

    @Test("Neither the log at its most talkative nor the trail holds a number, a code or a token")
    func secrets() async throws {
        try await LiveServer.with(logLevel: .trace) { server in
            let tokens = try await server.logIn(Self.mobile)
            let code = try await server.lastCode(of: Self.mobile)
            let wire = server.wire()
            let refreshed = try server.tokens(try await wire.refresh(tokens.sessionToken))
            _ = try await wire.sessions(refreshed.idToken)
            _ = try await wire.get("/api/v2/sdk/\(Self.mobile)?token=\(tokens.sessionToken)")
            let text = (server.log.lines + server.auditLines).joined()
            #expect(text.contains("138****0000") && text.contains("\"route\":\"/api/v2/sdk/sms/send\""))
            let secrets = [
                Self.mobile, "13812340000", code, tokens.sessionToken, tokens.idToken, refreshed.sessionToken, refreshed.idToken,
            ]
            for secret in secrets { #expect(!text.contains(secret)) }
            #expect(!text.contains(try #require(tokens.idToken.split(separator: ".").last)))
        }
    }

    @Test("A server that is told to end answers what is under way, and nobody after that")
    func draining() async throws {
        let gateway = HeldGateway()
        let server = try await LiveServer(gateway: gateway)
        let wire = server.wire()
        let token = try await wire.solvedCaptcha(for: Self.mobile, server.solver)
        async let sending = wire.send(to: Self.mobile, captchaToken: token)
        await gateway.arrival()
        async let stopping: Void = server.stop()
        await gateway.release()
        #expect(try await sending.status == 200)
        try await stopping
        await #expect(throws: (any Error).self) { try await wire.get("/healthz") }
    }

    @Test("A webhook that does not take the message is SMS.1008, and the log says why")
    func failingWebhook() async throws {
        let receiver = try LoopbackServer { _ in .status(503) }
        let gateway = try WebhookGateway(url: receiver.url(), secret: [UInt8](repeating: 1, count: 32), clock: SystemClock())
        try await LiveServer.with(gateway: gateway) { server in
            let wire = server.wire()
            let token = try await wire.solvedCaptcha(for: Self.mobile, server.solver)
            let reply = try await wire.send(to: Self.mobile, captchaToken: token)
            #expect(reply.status == 400 && reply.errorCode == "IDAAS.SDK.SMS.1008")
            #expect(receiver.requests.count == 1)
            let line = try #require(server.log.lines.first { $0.contains("an SMS was not sent") })
            let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
            #expect(entry["reason"] == "status 503" && entry["client"] == "demo" && entry["level"] == "warning")
            #expect(entry["request_id"] == reply.field("X-Request-Id"))
        }
    }

    @Test("A restart over the same store honours what was issued")
    func restart() async throws {
        let first = try await LiveServer()
        let tokens = try await first.logIn(Self.mobile)
        try await first.stopKeepingFiles()
        let second = try await LiveServer(clock: first.clock, directory: first.directory) { $0.publicURL = first.ready.url }
        #expect(try await second.wireToItself().refresh(tokens.sessionToken).status == 200)
        try await second.stop()
        try FileManager.default.removeItem(at: first.directory)
    }

    @Test("Every code that is refused comes in both languages")
    func languages() async throws {
        try await LiveServer.with { server in
            var wire = server.wire()
            for (language, field, text) in [
                ("zh", "X-L", "短信验证码验证错误"), ("en", "X-L", "SMS verification code verification is incorrect"),
                ("en-GB,zh;q=0.1", "Accept-Language", "SMS verification code verification is incorrect"),
            ] {
                wire.extraFields = [(field, language)]
                let refusal = try await wire.login(Self.mobile, code: "123456")
                #expect(refusal.errorText == text)
            }
            wire.extraFields = []
            let refusal = try await wire.login(Self.mobile, code: "123456")
            #expect(refusal.errorText == "短信验证码验证错误")
        }
    }
}

/// Takes a message only when it is let.
private actor HeldGateway: SMSGateway {
    private var isReleased = false
    private var hasArrived = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    func deliver(_ message: SMSMessage) async { await pass() }

    func pass() async {
        hasArrived = true
        for one in watching { one.resume() }
        watching = []
        if !isReleased { await withCheckedContinuation { waiting.append($0) } }
    }

    func arrival() async {
        if !hasArrived { await withCheckedContinuation { watching.append($0) } }
    }

    func release() {
        isReleased = true
        for one in waiting { one.resume() }
        waiting = []
    }
}
#endif
