import Foundation
import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import Testing

/// The limits of connections over real sockets; HTTPEdgeTests test their times.
@Suite struct EdgeTests: ServerTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

    private static func post(_ rest: String) -> String {
        "POST /api/v2/sdk/sms/send HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\(rest)"
    }

    struct Malformed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var hasBody = false

        static let all = [
            Malformed(testDescription: "no host", text: "GET /healthz HTTP/1.1\r\n\r\n"),
            Malformed(testDescription: "two hosts", text: "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
            Malformed(testDescription: "an unknown coding", text: post("Transfer-Encoding: gzip\r\n\r\n")),
            Malformed(testDescription: "no chunk size", text: post("Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), hasBody: true),
            Malformed(
                testDescription: "a huge chunk", text: post("Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"), hasBody: true),
        ]
    }

    @Test(.liveServer, arguments: Malformed.all)
    func malformedFramingIs400AndEndsTheConnection(_ malformed: Malformed) async throws {
        let (_, answer) = try await RawConnection.untilClosed(server.ready.port, [malformed.text + Self.get])
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("Connection: close"), "\(answer)")
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
        #expect(answer.contains("IDAAS.SDK.COMMON.1002") == malformed.hasBody)
        #expect(!server.log.lines.contains { $0.contains(#""level":"error""#) })
    }

    @Test(.liveServer) func aMalformedHeadHasItsLineAndItsCount() async throws {
        let answer = try await RawConnection.exchange(server.ready.port, "GET /hidden HTTP/1.1\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        try await expectLineAndCount(status: "400")
    }

    @Test(.liveServer { $0.connections.headTimeout = .seconds(2) }) func aLateHeadHasItsLineAndItsCount() async throws {
        let answer = try await RawConnection.exchange(server.ready.port, "GET /hidden HTTP/1.1\r\nHost: ")
        #expect(answer.hasPrefix("HTTP/1.1 408 "))
        try await expectLineAndCount(status: "408")
    }

    @Test(.liveServer) func aLargeBodyIsRefusedAndReadNoFurther() async throws {
        let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
        let start = Self.post("Transfer-Encoding: chunked\r\n\r\n")
        let (sent, answer) = try await RawConnection.untilClosed(
            server.ready.port, [start] + [String](repeating: chunk, count: 4_096))
        #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("IDAAS.SDK.COMMON.1002"))
        // The sockets' buffers take some bytes, but not 256 MiB.
        #expect(sent < 1_024)
    }

    @Test(.liveServer { $0.connections.bodyTimeout = .seconds(1) }) func aSlowBodyIs408() async throws {
        let (_, answer) = try await RawConnection.untilClosed(server.ready.port, [Self.post("Content-Length: 9\r\n\r\n{")])
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("IDAAS.SDK.COMMON.1002"))
    }

    @Test(
        .liveServer {
            $0.connections.maximum = 16
            $0.connections.maximumPerAddress = 8
            $0.connections.headTimeout = .seconds(2)
        }
    )
    func slowConnectionsOfOneAddressKeepNobodyElseOut() async throws {
        let port = server.ready.port
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<64 { group.addTask { try await RawConnection.untilClosed(port, ["GET"], from: "127.0.0.2").received } }
            for _ in 0..<8 { #expect(try await wire.send("GET", "/healthz", []).status == 200) }
            var answers: [String] = []
            for try await answer in group { answers.append(answer) }
            #expect(answers.count == 64 && answers.contains(""))
            #expect(answers.allSatisfy { $0.isEmpty || $0.hasPrefix("HTTP/1.1 408 ") })
        }
    }

    @Test(.liveServer { $0.connections.writeTimeout = .seconds(1) })
    func aReaderThatDoesNotReadIsEndedAndHasFewRequestsServed() async throws {
        let requests = String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n", count: 1_000)
        // 78 MB: more than the sockets of both ends hold, so the client never gets to reading.
        let (sent, _) = try await RawConnection.untilClosed(
            server.ready.port, [String](repeating: requests, count: 2_000), reads: false)
        #expect(sent < 2_000)
        let text = try await wire.send("GET", "/metrics", []).text
        let served = text.split(separator: "\n").first { $0.hasPrefix("http_requests_total") && $0.contains("openapi.json") }
        let count = try #require(served?.split(separator: " ").last.flatMap { Int($0) })
        #expect(count < 1_000)
    }

    private func expectLineAndCount(status: String) async throws {
        let lines = server.log.lines.filter { $0.contains(#""message":"a message was refused""#) }
        // Two lines would be no JSON.
        let entry = try #require(try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? [String: String])
        #expect(entry["status"] == status && entry["code"] == "IDAAS.SDK.COMMON.1002" && entry["level"] == "info")
        #expect(!server.log.lines.contains { $0.contains("hidden") })
        let metrics = try await wire.send("GET", "/metrics", []).text
        #expect(metrics.contains("http_messages_refused_total{status=\"\(status)\"} 1\n"))
    }
}
