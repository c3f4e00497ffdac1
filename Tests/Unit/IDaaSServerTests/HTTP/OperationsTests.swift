import AssayTesting
import Foundation
import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import JWTTestSupport
import Locks
import Logging
import Testing

struct OperationsTests: ServerTests {
    private static let mobile = "+86-13812340000"

    @Test(.liveServer)
    func healthReadinessAndMetricsAreAnswered() async throws {
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

    @Test(.liveServer)
    func readinessIsLookedAtOnceASecondHoweverOftenItIsAskedFor() async throws {
        #expect(try await wire.send("GET", "/readyz", []).status == 200)
        try await server.spoilStore()
        server.clock.advance(milliseconds: 999)
        #expect(try await wire.send("GET", "/readyz", []).status == 200)
        server.clock.advance(milliseconds: 1)
        for _ in 0..<2 {
            let ready = try await wire.send("GET", "/readyz", [])
            #expect(ready.status == 503)
            #expect(ready.text == #"{"status":"unavailable","missing":["database"]}"#)
        }
    }

    @Test(.fileStore, .liveServer { $0.readiness.minimumFreeBytes = .max }) func aFileSystemWithTooLittleSpaceIsNotReady() async throws {
        let ready = try await wire.send("GET", "/readyz", [])
        let healthy = try await wire.send("GET", "/healthz", []).status
        #expect(ready.status == 503 && healthy == 200)
        #expect(ready.text == #"{"status":"unavailable","missing":["disk_space"]}"#)
    }

    @Test(.fileStore, .liveServer) func aDatabaseThatCannotGrowIsNotReady() async throws {
        #expect(try await wire.send("GET", "/readyz", []).status == 200)
        let services = server.server.services
        let store = try #require(services.store as? SQLiteStore)
        _ = try await store.pragma("max_page_count = 1")
        await #expect(throws: (any Error).self) {
            for number in 0..<10_000 { _ = try await services.administration.addClient(name: "Further", id: "further-\(number)") }
        }
        server.clock.advance(by: 1)
        #expect(try await wire.send("GET", "/readyz", []).status == 503)
    }

    @Test
    func whoAsksForReadinessWhileItIsLookedAtWaitsForThatLook() async throws {
        let gate = HeldGateway()
        let checks = Locked(0)
        let clock = ManualServerClock()
        let readiness = Readiness(clock: clock) {
            checks.withLock { $0 += 1 }
            await gate.pass()
            return nil
        }
        let first = Task { await readiness.missing() }
        await gate.arrived.pass()
        let others = (0..<16).map { _ in Task { await readiness.missing() } }
        gate.released.open()
        #expect(await first.value == nil)
        for other in others { #expect(await other.value == nil) }
        #expect(checks.withLock { $0 } == 1)
        clock.advance(by: 1)
        #expect(await readiness.missing() == nil)
        #expect(checks.withLock { $0 } == 2)
    }

    /// 4 of 6 connections of an address are open, and the other two were closed at once.
    @Test(.liveServer { $0.connections.maximumPerAddress = 4 })
    func theMetricsCountConnections() async throws {
        let port = server.ready.port
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { _ = try? await RawConnection.untilClosed(port, ["GET"], from: "127.0.0.2") }
            }
            for _ in 0..<2 { _ = try await group.next() }
            try await reaches("http_connections_accepted_total") { $0 >= 7 }
            try await reaches("http_connections_refused_total") { $0 == 2 }
            try await reaches("http_connections") { $0 >= 5 }
            group.cancelAll()
            try await group.waitForAll()
            try await reaches("http_connections") { $0 < 5 }
        }
    }

    /// Asks until the metric has such a value.
    private func reaches(_ name: String, _ isReached: (Double) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        var value: Double?
        repeat {
            let lines = try await wire.send("GET", "/metrics", []).text.split(separator: "\n")
            value = lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
        } while value.map(isReached) != true && ContinuousClock.now < deadline
        #expect(value.map(isReached) == true, "\(name) is \(value.map(String.init(describing:)) ?? "absent")")
    }

    @Test(.liveServer { $0.metrics.readers = ["192.0.2.1"] })
    func metricsAreThereForTheConfiguredReadersAlone() async throws {
        let status = try await wire.send("GET", "/metrics", []).status
        #expect(status == 404)
    }

    /// The development endpoints require the token, a loopback host and no proxy; otherwise they answer as unknown paths.
    @Test(.liveServer { $0.development = true })
    func theDevelopmentEndpointsNeedTheirToken() async throws {
        let token = try #require(server.ready.developmentToken)
        let key = [("X-Assay-Dev", token)]
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
            for path in ["/__dev/outbox", "/__dev/clock", "/__dev/slider", "/__dev/nothing"] {
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

    /// The place of a piece is told while its picture can be solved, to holders of the development token.
    @Test(.liveServer { $0.development = true })
    func theSliderIsSolvedByItsToken() async throws {
        let key = [("X-Assay-Dev", try #require(server.ready.developmentToken))]
        let token = try #require(try await wire.get("/api/v2/sdk/captcha").string("token"))
        let path = "/__dev/slider?token=\(token)"
        let place = try await wire.send("GET", path, key)
        let point = try #require(SliderPoint(json: place.text))
        #expect(place.status == 200 && point.x > 0 && point.y == 5)
        for (path, fields) in [(path, []), (path, [("X-Assay-Dev", "x")]), ("/__dev/slider", key), ("/__dev/slider?token=x", key)] {
            #expect(try await wire.send("GET", path, fields).status == 404, "\(path)")
        }
        let check = ["token": token, "point_json": place.text, "sender": Self.mobile]
        #expect(try await wire.post("/api/v2/sdk/captcha/verify", check).string("captcha_token")?.isEmpty == false)
        #expect(try await wire.send("GET", path, key).status == 404, "used")
        let late = try #require(try await wire.get("/api/v2/sdk/captcha").string("token"))
        #expect(try await wire.send("GET", "/__dev/slider?token=\(late)", key).status == 200)
        server.clock.advance(by: 121)
        #expect(try await wire.send("GET", "/__dev/slider?token=\(late)", key).status == 404, "expired")
    }

    @Test(.liveServer)
    func withoutDevelopmentItsEndpointsAre404WithOrWithoutAToken() async throws {
        #expect(server.ready.developmentToken == nil)
        for path in ["/__dev/outbox", "/__dev/clock", "/__dev/slider"] {
            let status = try await wire.send("GET", path, [("X-Assay-Dev", "")]).status
            #expect(status == 404)
            #expect(try await wire.send("POST", path, [("X-Assay-Dev", "")], body: []).status == 404)
        }
    }

    @Test
    func anEndingServerAnswersOnlyWhatIsUnderWay() async throws {
        let gateway = HeldGateway()
        let server = try await LiveServer(gateway: gateway)
        let wire = server.wire()
        let token = try await wire.solvedCaptcha(for: Self.mobile, server.solver)
        async let sending = wire.send(to: Self.mobile, captchaToken: token)
        await gateway.arrived.pass()
        async let stopping: Void = server.stop()
        gateway.released.open()
        #expect(try await sending.status == 200)
        try await stopping
        await #expect(throws: (any Error).self) { try await wire.get("/healthz") }
    }

    @Test
    func aWebhookThatDoesNotTakeTheMessageIsSMS1008AndTheLogSaysWhy() async throws {
        let receiver = try LoopbackServer { _ in .status(503) }
        let gateway = try WebhookGateway(
            url: receiver.url(), secret: [UInt8](repeating: 1, count: 32), clock: SystemServerClock(), budget: .seconds(120))
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
}

/// Accepts a message only after the test allows it.
private struct HeldGateway: SMSGateway {
    let arrived = Gate(), released = Gate()

    func deliver(_ message: SMSMessage) async { await pass() }

    func pass() async {
        arrived.open()
        await released.pass()
    }
}
