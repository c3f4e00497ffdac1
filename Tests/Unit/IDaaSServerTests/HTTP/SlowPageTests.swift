import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// Slow clients at the routes of browsers. HTTPEdgeTests test the times without sockets.
@Suite struct SlowPageTests: ServerTests {
    private static let page = "\(PagePath.login)?client_id=\(LiveServer.client)"

    @Test(
        .liveServer { $0.connections.headTimeout = .seconds(1) },
        arguments: [page, PagePath.script, PagePath.style, WirePath.authorization, WirePath.endSession])
    func aHeadThatDripsIs408(_ path: String) async throws {
        let answer = try await RawConnection.drip(server.ready.port, "GET \(path) HTTP/1.1\r\nHost: x\r\nCookie: ", then: "a")
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("Connection: close"), "\(answer)")
        #expect(try await wire.send("GET", Self.page, []).status == 200)
    }

    @Test(
        .liveServer { $0.connections.bodyTimeout = .seconds(1) },
        arguments: [
            WirePath.authorizationEnd, WirePath.token, WirePath.passwordLogin, WirePath.bioInitiate, WirePath.bioPoll,
            WirePath.secondFactorSMS,
        ])
    func aBodyThatDripsIs408(_ path: String) async throws {
        let type = path == WirePath.token ? "application/x-www-form-urlencoded" : "application/json"
        let head = "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\nContent-Length: 60000\r\n\r\n"
        let answer = try await RawConnection.drip(server.ready.port, head, then: " ")
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("IDAAS.SDK.COMMON.1002"), "\(answer)")
        #expect(try await wire.send("GET", Self.page, []).status == 200)
    }

    @Test(.liveServer { $0.connections.writeTimeout = .seconds(1) }, arguments: [page, PagePath.script])
    func aReaderThatDoesNotReadIsEndedAndHasFewPagesServed(_ path: String) async throws {
        let requests = String(repeating: "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n", count: 1_000)
        // A million requests, more than the sockets of both ends hold, so the client never gets to reading.
        let (sent, _) = try await RawConnection.untilClosed(
            server.ready.port, [String](repeating: requests, count: 1_000), reads: false)
        #expect(sent < 1_000)
        let text = try await wire.send("GET", "/metrics", []).text
        let route = #"route="\#(path.prefix { $0 != "?" })""#
        let served = text.split(separator: "\n").first { $0.hasPrefix("http_requests_total") && $0.contains(route) }
        let count = try #require(served?.split(separator: " ").last.flatMap { Int($0) })
        // The sockets' buffers take some megabytes of answers.
        #expect(count < 10_000)
        #expect(try await wire.send("GET", Self.page, []).status == 200)
    }
}
