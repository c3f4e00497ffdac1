import Foundation
import GatewayServer
import NIOCore
import Testing

/// What operators see of a message that cannot be read.
@Suite struct MalformedMessageLogTests {
    private static let envoy = SampleConfiguration.replacing("profile: nginx", with: "profile: envoy-grpc")

    @Test func aMalformedMessageHasItsLineAndItsCount() async throws {
        try await RunningGateway.with(Self.envoy) { gateway async throws in
            try await Self.call(gateway.edge, [0x0a])
            try await Self.expectLineAndCount(gateway)
        }
    }

    /// Gateways hand on what their clients wrote, such as `Host: a@b`, and answer 500 for this 400.
    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\u{1}b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX-Field: a\u{0}b\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nX-Field: \(String(repeating: "a", count: 100_000))\r\n\r\n", "no request\r\n\r\n",
    ])
    func aMalformedHeadHasItsLineAndItsCount(text: String) async throws {
        try await RunningGateway.with { gateway async throws in
            #expect(try await GatewayClient.exchange(gateway.edge, text)?.status == 400)
            try await Self.expectLineAndCount(gateway)
        }
    }

    @Test(arguments: AuthorizationChannelTests.breaches)
    func aConnectionWithoutHTTP2HasItsLineAndItsCount(bytes: [UInt8]) async throws {
        try await RunningGateway.with(Self.envoy) { gateway async throws in
            try await GatewayClient.untilClosed(gateway.edge, bytes)
            try await Self.expectLineAndCount(gateway)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(!metrics.contains("assay_gateway_answers_total{"), "it got no answer")
        }
    }

    /// One second for a head, or for the opening of a connection of HTTP/2. The deadline is real, because the edge counts the event loop's time.
    @Test(arguments: ["nginx", "envoy-grpc"])
    func aLateHeadHasItsLineAndItsCount(profile: String) async throws {
        let text = SampleConfiguration.replacing("profile: nginx", with: "profile: \(profile)") + "connections:\n  headSeconds: 1\n"
        try await RunningGateway.with(text) { gateway async throws in
            try await GatewayClient.untilClosed(gateway.edge, Array("GET / HTTP/1.1\r\n".utf8))
            try await Self.expectLineAndCount(gateway, status: "408")
        }
    }

    @Test func aMalformedHeadOfAnOperatorHasItsLineAndItsCount() async throws {
        try await RunningGateway.with { gateway async throws in
            #expect(try await GatewayClient.exchange(gateway.administration, "GET /hidden HTTP/1.1\r\n\r\n")?.status == 400)
            let lines = gateway.log.all.filter { $0.contains("\"message\":\"a message is refused\"") }
            let fields = try #require(try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? [String: String])
            #expect(fields["listener"] == "administration" && fields["status"] == "400" && fields["code"] == "malformed_request")
            #expect(!gateway.log.text.contains("hidden"))
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("\(Self.count(of: "administration")) 1\n"))
        }
    }

    @Test func aDecisionListenerCalledAdministrationSharesItsSeries() async throws {
        let text = SampleConfiguration.replacing("name: edge", with: "name: administration")
        try await RunningGateway.with(text) { gateway async throws in
            let edge = try #require(gateway.ready.listeners["administration"]?.first)
            for place in [edge, gateway.administration] { _ = try await GatewayClient.exchange(place, "no request\r\n\r\n") }
            let metrics = try #require(try await gateway.operate("/metrics")).body
            let series = metrics.split(separator: "\n").map(String.init).filter { $0.hasPrefix(Self.count(of: "administration")) }
            #expect(series == ["\(Self.count(of: "administration")) 2"])
        }
    }

    @Test func aRefusedMessageChangesNoDecisionTime() async throws {
        try await RunningGateway.with { gateway async throws in
            _ = try await gateway.ask()
            #expect(try await GatewayClient.exchange(gateway.edge, "no request\r\n\r\n")?.status == 400)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("assay_gateway_decision_duration_seconds_count{listener=\"edge\"} 1\n"))
            #expect(metrics.contains("assay_gateway_answers_total{listener=\"edge\",status=\"400\"} 1\n"))
        }
    }

    private static func expectLineAndCount(_ gateway: RunningGateway, status: String = "400") async throws {
        let lines = gateway.log.all.filter { $0.contains("\"message\":\"decision\"") }
        // Two lines would be no JSON.
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? [String: String])
        #expect(fields["listener"] == "edge" && fields["outcome"] == "denied")
        #expect(fields["code"] == "malformed_request" && fields["status"] == status)
        // Nothing is known of the request, and nothing was decided.
        #expect(["method", "host", "target", "policy", "microseconds"].allSatisfy { fields[$0] == nil })
        let metrics = try #require(try await gateway.operate("/metrics")).body
        #expect(metrics.contains("\(count(of: "edge")) 1\n"))
        #expect(metrics.contains("assay_gateway_decision_duration_seconds_count{listener=\"edge\"} 0\n"))
    }

    private static func count(of listener: String) -> String {
        "assay_gateway_refused_messages_total{code=\"malformed_request\",listener=\"\(listener)\"}"
    }

    /// Makes a call and waits for the beginning of its answer. The service writes its line before.
    private static func call(_ place: String, _ message: [UInt8]) async throws {
        let channel = try await GatewayClient.connect(place)
        try await channel.executeThenClose { inbound, outbound in
            let call = try Connection.call(stream: 1, message)
            try await outbound.write(ByteBuffer(bytes: Connection.preface + Connection.settings + call))
            var received: [UInt8] = []
            for try await part in inbound {
                received += Array(part.readableBytesView)
                if Connection.types(of: received).contains(1) { return }
            }
            Issue.record("the connection ended without an answer")
        }
    }
}
