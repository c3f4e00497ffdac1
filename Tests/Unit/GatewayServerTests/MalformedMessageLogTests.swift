import Foundation
import NIOCore
import Testing

/// What operators see of a message that cannot be read.
@Suite struct MalformedMessageLogTests {
    @Test func aMalformedMessageHasItsLineAndItsCount() async throws {
        let text = SampleConfiguration.replacing("profile: nginx", with: "profile: envoy-grpc")
        try await RunningGateway.with(text) { gateway async throws in
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

    private static func expectLineAndCount(_ gateway: RunningGateway) async throws {
        let line = try #require(gateway.log.all.first { $0.contains("\"message\":\"decision\"") })
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(fields["listener"] as? String == "edge")
        #expect(fields["outcome"] as? String == "denied")
        #expect(fields["code"] as? String == "malformed_request")
        #expect("\(fields["status"] ?? "")" == "400")
        // Nothing is known of the request.
        #expect(["method", "host", "target", "policy"].allSatisfy { fields[$0] == nil })
        let metrics = try #require(try await gateway.operate("/metrics")).body
        let count = "assay_gateway_refused_messages_total{code=\"malformed_request\",listener=\"edge\"} 1\n"
        #expect(metrics.contains(count))
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
