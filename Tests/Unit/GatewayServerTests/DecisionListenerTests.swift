import GatewayServer
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks
import Logging
import NIOCore
import Testing

@Suite struct DecisionListenerTests {
    @Test func aValidTokenIsAllowedWithItsClaims() async throws {
        try await RunningGateway.with { gateway async throws in
            let answer = try #require(try await gateway.ask(bearing: gateway.forge.token()))
            #expect(answer.status == 200)
            #expect(answer.field("x-user") == "248289761001")
            #expect(answer.field("content-length") == "0")
        }
    }

    @Test func everyRefusalHasItsStatusCodeAndChallenge() async throws {
        try await RunningGateway.with { gateway async throws in
            let tampered = String(gateway.forge.token().dropLast(4)) + "AAAA"
            let cases: [([String], Int, String)] = [
                ([], 401, "missing_token"), (["Authorization: Bearer \(tampered)"], 401, "signature_invalid"),
                (["Authorization: Bearer x.y.z"], 401, "malformed_token"),
                (["Authorization: Bearer a", "Authorization: Bearer b"], 403, "several_tokens"),
            ]
            for (fields, status, code) in cases {
                let answer = try #require(try await gateway.ask(fields))
                #expect(answer.status == status, "\(answer.head)")
                if status == 401 { #expect(answer.field("www-authenticate")?.hasPrefix("Bearer realm=\"api\"") == true) }
                if code != "malformed_token" { #expect(answer.field("x-assay-code") == code, "\(answer.head)") }
                #expect(answer.field("location") == nil && answer.body.isEmpty)
            }
        }
    }

    /// Paths of the administrative listener are requests to decide here.
    @Test(arguments: ["/healthz", "/readyz", "/metrics", "/keys", "/explain", "/status.json", "/"])
    func pathsForOperatorsAreDecided(path: String) async throws {
        try await RunningGateway.with { gateway async throws in
            let answer = try #require(try await GatewayClient.get(gateway.edge, path))
            #expect(answer.status == 403)
            #expect(answer.field("x-assay-code") == "malformed_request")
            #expect(answer.body.isEmpty)
        }
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PROPFIND", "OPTIONS", "PURGE"])
    func everyMethodAndBodyIsAccepted(method: String) async throws {
        try await RunningGateway.with { gateway async throws in
            let fields = ["X-Original-URI: /orders", "X-Original-Method: GET", "Authorization: Bearer \(gateway.forge.token())"]
            let text = GatewayClient.request(method, "/any/path?x=1", host: "api.example", fields, body: method == "POST" ? "ignored" : "")
            let answer = try #require(try await GatewayClient.exchange(gateway.edge, text))
            #expect(answer.status == 200)
        }
    }

    /// The gateway's fields are read as field values, without white space around them, and in any case of their names.
    @Test(arguments: [
        ("X-Original-URI:  \t/orders \t", 200), ("x-ORIGINAL-uri: /orders", 200),
        ("X-Original-URI: /orders\r\nx-original-uri: /orders", 403),
        ("X-Original-URI:", 403), ("X-Original-URI: \t", 403), ("X-Original-URI: /or\u{1}ders", 400), ("X-Original-URI: /\u{e9}", 403),
    ])
    func theGatewaysFieldsAreReadStrictly(line: String, status: Int) async throws {
        try await RunningGateway.with { gateway async throws in
            let fields = ["X-Original-Method: GET", line, "Authorization: Bearer \(gateway.forge.token())"]
            #expect(try await GatewayClient.get(gateway.edge, "/decide", fields: fields)?.status == status)
        }
    }

    /// The target of an absolute form has two readings of the host.
    @Test(arguments: [("/orders", 200), ("http://api.example/orders", 400), ("//orders", 400), ("*", 400)])
    func aTargetIsTakenAsItIs(target: String, status: Int) async throws {
        let text = SampleConfiguration.replacing("profile: nginx", with: "profile: envoy-http").replacing("x-user", with: "x-auth-user")
        try await RunningGateway.with(text) { gateway async throws in
            let answer = try await GatewayClient.get(gateway.edge, target, fields: ["Authorization: Bearer \(gateway.forge.token())"])
            #expect(answer?.status == status, "\(answer?.head ?? "")")
        }
    }

    @Test func pipelinedQuestionsAreAnsweredInOrder() async throws {
        try await RunningGateway.with { gateway async throws in
            let fields = ["X-Original-Method: GET", "X-Original-URI: /orders"]
            let good = ["Authorization: Bearer \(gateway.forge.token())"]
            let last = GatewayClient.request("GET", "/", host: "x", ["Connection: close"])
            let texts = [good, [], good, [], []].map { GatewayClient.request("GET", "/", host: "x", fields + $0) } + [last]
            let channel = try await GatewayClient.connect(gateway.edge)
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(.init(string: texts.joined()))
                var received = ""
                for try await part in inbound { received += String(buffer: part) }
                let statuses = received.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.map { $0.dropFirst(9).prefix(3) }
                #expect(statuses == ["200", "401", "200", "401", "401", "403"])
            }
        }
    }

    @Test func aBodyBeyondTheLimitIsRefused() async throws {
        try await RunningGateway.with { gateway async throws in
            let text = GatewayClient.request("POST", "/", host: "x", ["Content-Length: 10000000"])
            #expect(try await GatewayClient.exchange(gateway.edge, text)?.status == 403)
        }
    }

    @Test func aHeadBeyondTheLimitIsRefused() async throws {
        try await RunningGateway.with { gateway async throws in
            let answer = try await gateway.ask(["X-Large: \(String(repeating: "a", count: 65_536))"])
            #expect(answer == nil || answer?.status == 400 || answer?.status == 431)
        }
    }

    /// One second for a head; the deadline is real, because the edge counts the event loop's time.
    @Test(arguments: ["edge", "administration"])
    func aHeadThatDoesNotEndIsCutOff(listener: String) async throws {
        let text = SampleConfiguration.text + "connections:\n  headSeconds: 1\n"
        try await RunningGateway.with(text) { gateway async throws in
            let place = listener == "edge" ? gateway.edge : gateway.administration
            #expect(try await GatewayClient.exchange(place, "GET / HTTP/1.1\r\nHost: ")?.status == 408)
        }
    }

    @Test func theLogHasNoToken() async throws {
        try await RunningGateway.with { gateway async throws in
            let token = gateway.forge.token()
            _ = try await gateway.ask("/orders/\(token)?access_token=\(token)&x=secret", ["Authorization: Bearer \(token)"])
            _ = try await gateway.ask(bearing: token + "x")
            // A line follows its answer.
            while gateway.log.all.count(where: { $0.contains("\"message\":\"decision\"") }) < 2 { await Task.yield() }
            let text = gateway.log.text
            #expect(text.contains("\"message\":\"decision\"") && text.contains("access_token=…"))
            for part in token.split(separator: ".") { #expect(!text.contains(part)) }
            #expect(!text.contains("secret"))
        }
    }

    /// `access` alone says which decisions have a line.
    @Test(arguments: [("all", ["denied", "allowed"]), ("denied", ["denied"]), ("none", [])])
    func theLevelOfTheLogHidesNoDecision(access: String, outcomes: [String]) async throws {
        let text = SampleConfiguration.replacing("level: info", with: "level: error\n  access: \(access)")
        try await RunningGateway.with(text, logLevel: .error) { gateway async throws in
            _ = try await gateway.ask()
            // A line follows its answer.
            while gateway.log.all.count < min(outcomes.count, 1) { await Task.yield() }
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            while gateway.log.all.count < outcomes.count { await Task.yield() }
            let lines = gateway.log.all
            #expect(lines.count == outcomes.count, "\(lines)")
            #expect(zip(lines, outcomes).allSatisfy { $0.contains("\"outcome\":\"\($1)\"") }, "\(lines)")
        }
    }

    @Test func withoutKeysTheRequestIsRefusedAsUnavailable() async throws {
        let text = SampleConfiguration.replacing("profile: nginx", with: "profile: traefik")
        try await RunningGateway.with(text, publishes: false) { gateway async throws in
            let fields = [
                "X-Forwarded-Method: GET", "X-Forwarded-Proto: https", "X-Forwarded-Host: api.example", "X-Forwarded-Uri: /orders",
                "Authorization: Bearer \(gateway.forge.token())",
            ]
            // The decision waits for keys on the clock of the test.
            let isAnswered = Locked(false)
            let asked = Task {
                defer { isAnswered.withLock { $0 = true } }
                return try await GatewayClient.get(gateway.edge, "/", fields: fields)
            }
            while !isAnswered.withLock({ $0 }) {
                gateway.clock.advance(by: .milliseconds(50))
                for _ in 0..<200 { await Task.yield() }
            }
            let answer = try #require(try await asked.value)
            #expect(answer.status == 503)
            #expect(answer.field("x-assay-code") == "keys_unavailable")
            #expect(try await gateway.operate("/readyz")?.status == 503)
            #expect(try await gateway.operate("/healthz")?.status == 200)
        }
    }
}
