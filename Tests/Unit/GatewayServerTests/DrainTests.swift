import GatewayServer
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import NIOCore
import Testing

@Suite struct DrainTests {
    private static let two =
        SampleConfiguration.replacing(
            "administration:", with: "  - name: other\n    profile: caddy\n    tcp: 127.0.0.1:0\nadministration:")
        + "connections: {drainSeconds: 120, bodySeconds: 120}\n"

    /// A service group ends one after the other, and the first would use up the time of the last.
    @Test func allListenersDrainAtOnce() async throws {
        for held in ["edge", "other"] {
            try await RunningGateway.with(Self.two) { gateway async throws in
                let places = gateway.ready.listeners
                let free = try #require(places[held == "edge" ? "other" : "edge"]?.first)
                let channel = try await GatewayClient.connect(try #require(places[held]?.first))
                try await channel.executeThenClose { inbound, outbound in
                    // A request whose body is not there yet.
                    try await outbound.write(.init(string: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n"))
                    _ = try await GatewayClient.get(gateway.administration, "/healthz")
                    gateway.server.shutDown()
                    #expect(await gateway.closes(free))
                    // On a busy machine the server may have given up the body.
                    try? await outbound.write(.init(string: "x"))
                    var received = ""
                    for try await part in inbound { received += String(buffer: part) }
                    #expect(received.hasPrefix("HTTP/1.1 4"), "\(received)")
                }
            }
        }
    }

    /// A gateway that has connected when the drain begins sends its request a moment later.
    @Test func aRequestOnItsWayIsAnswered() async throws {
        // Longer than some questions take on a busy machine.
        let patient = SampleConfiguration.text + "connections: {drainSeconds: 120, headSeconds: 120}\n"
        try await RunningGateway.with(patient, drainStep: .seconds(6)) { gateway async throws in
            let channel = try await GatewayClient.connect(gateway.edge)
            try await channel.executeThenClose { inbound, outbound in
                gateway.server.shutDown()
                while try await gateway.operate("/readyz")?.status == 200 {}
                try await outbound.write(
                    .init(string: "GET / HTTP/1.1\r\nHost: x\r\nX-Original-URI: /\r\nX-Original-Method: GET\r\n\r\n"))
                var answers = inbound.makeAsyncIterator()
                #expect(try await answers.next().map { String(buffer: $0) }?.hasPrefix("HTTP/1.1 401 ") == true)
            }
        }
    }

    @Test func openConnectionsAreCounted() async throws {
        try await RunningGateway.with { gateway async throws in
            let channel = try await GatewayClient.connect(gateway.edge)
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(
                    .init(string: "GET / HTTP/1.1\r\nHost: x\r\nX-Original-URI: /\r\nX-Original-Method: GET\r\n\r\n"))
                var answers = inbound.makeAsyncIterator()
                _ = try await answers.next()
                let metrics = try #require(try await gateway.operate("/metrics")).body
                #expect(metrics.contains("assay_gateway_connections{listener=\"edge\"} 1\n"), "\(metrics)")
            }
        }
    }

    /// NIO would make it 128, and a Unix socket refuses what is beyond.
    @Test(.enabled(if: Shell.run("command -v ss > /dev/null") == 0))
    func aBurstFitsIntoTheQueue() async throws {
        let folder = try TemporaryFolder()
        try await RunningGateway.with { gateway async throws in
            let port = try #require(gateway.edge.split(separator: ":").last)
            _ = Shell.run("ss -ltnH 'sport = :\(port)' > \(folder.path)/queue; cat /proc/sys/net/core/somaxconn > \(folder.path)/most")
            let queue = folder.read("queue").split(separator: " ").dropFirst(2).first.flatMap { Int($0) }
            let most = try #require(Int(folder.read("most").filter(\.isNumber)))
            #expect(queue == min(4_096, most))
        }
    }
}

extension RunningGateway {
    /// Whether the listener at `place` closes.
    fileprivate func closes(_ place: String) async -> Bool {
        for _ in 0..<100_000 {
            guard let answer = try? await GatewayClient.get(place, "/") else { return true }
            guard answer.status != 0 else { return true }
        }
        return false
    }
}
