import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct FrameTests: ServerTests {
    /// An unknown path is 404, a wrong method is 405, both with a JSON body in the requested language.
    @Test(.liveServer)
    func noEndpoint() async throws {
        var wire = server.wire()
        wire.language = "zh"
        let missing = try await wire.get("/api/v2/sdk/nothing")
        #expect(missing.status == 404)
        #expect(missing.errorCode == "IDAAS.SDK.COMMON.1006" && missing.errorText == "path 参数错误")
        wire.language = nil
        let method = try await wire.send("PUT", "/api/v2/sdk/captcha", wire.fields, body: Array("{}".utf8))
        #expect(method.status == 405 && method.field("Allow") == "GET, HEAD")
        #expect(method.errorText == "The method parameter error")
        let paths = [
            "/__dev/outbox", "/__dev/clock", "/__dev/slider?token=x", "/metricsx", "/", "//", "/api/v2/sdk/sessions/a/b",
            "/api/v2/sdk/captcha/%2e%2e",
        ]
        for path in paths {
            #expect(try await wire.get(path).status == 404, "\(path)")
        }
    }

    @Test(.liveServer)
    func everyReplyNamesItsRequestIsNotKeptAndNotSniffed() async throws {
        for path in ["/api/v2/sdk/server-date", "/healthz", "/nothing"] {
            let reply = try await wire.get(path, adding: [("X-Request-Id", "0af7651916cd43dd8448eb211c80319c")])
            #expect(reply.field("X-Request-Id") == "0af7651916cd43dd8448eb211c80319c")
            #expect(reply.field("Cache-Control") == "no-store")
            #expect(reply.field("X-Content-Type-Options") == "nosniff")
            #expect(reply.field("Server") == nil)
            let made = try await wire.get(path, adding: [("X-Request-Id", "13812340000")])
            #expect(made.field("X-Request-Id")?.count == 32)
        }
    }

    @Test(.liveServer { $0.standBehindProxy() })
    func behindAProxyTheAddressIsTheOneThatItNames() async throws {
        let port = server.ready.port
        var wire = server.wire()
        wire.url = "http://127.0.0.1:\(port)"
        _ = try await wire.get("/api/v2/sdk/captcha", adding: [("X-Forwarded-For", "203.0.113.1, 198.51.100.8")])
        #expect(server.auditLines.last?.contains(#""address":"198.51.100.8""#) == true)
        let discovery = try await wire.get("/api/v1/oauth2/.well-known/openid-configuration")
        #expect(discovery.string("issuer") == "https://login.example.com/api/v1/oauth2")
        #expect(discovery.field("Strict-Transport-Security") != nil)
        // A request through a proxy does not get the metrics, whether or not the proxy names a client.
        for fields in [[("X-Forwarded-For", "127.0.0.1")], []] {
            #expect(try await wire.get("/metrics", adding: fields).status == 404)
        }
    }

    @Test(.liveServer)
    func headIsAnsweredAsGETIsWithoutTheBody() async throws {
        let reply = try await wire.send("HEAD", "/healthz", [])
        #expect(reply.status == 200 && reply.body.isEmpty && reply.field("Content-Length") == "15")
    }

    /// A refused HEAD has no body either: the next bytes on the connection are the next answer.
    @Test(.liveServer, arguments: HeadCase.all)
    func refusedHead(_ refused: HeadCase) async throws {
        let answers = try await RawConnection.exchange(
            server.ready.port,
            "HEAD \(refused.path) HTTP/1.1\r\nHost: x\r\n\(refused.fields)\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        let end = try #require(answers.range(of: "\r\n\r\n"))
        let head = answers[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
        #expect(head.first?.hasPrefix("http/1.1 \(refused.status) ") == true)
        // The length of the body in the refusal of another method (RFC 9110 section 8.6).
        let length = try #require(head.first { $0.hasPrefix("content-length:") })
        #expect(length != "content-length: 0")
        #expect(answers[end.upperBound...].hasPrefix("HTTP/1.1 200 "), "\(answers)")
    }

    struct HeadCase: Sendable, CustomTestStringConvertible {
        let path: String
        let status: Int
        var fields = ""

        var testDescription: String { "\(path) \(status)" }

        static let all = [
            HeadCase(path: "/nothing", status: 404), HeadCase(path: "/api/v2/sdk/sms/send", status: 405),
            HeadCase(path: "/api/v2/sdk/captcha", status: 400),
            HeadCase(path: "/healthz", status: 400, fields: String(repeating: "X-Filler: v\r\n", count: 70)),
        ]
    }

    @Test(.liveServer)
    func headDoesNotLogOutItIsNoMethodOfWhatChangesSomething() async throws {
        let tokens = try await server.logIn()
        let token = [("session-token", tokens.sessionToken)]
        let reply = try await wire.send("HEAD", "/api/v2/sdk/logout", wire.fields + token)
        #expect(reply.status == 405 && reply.body.isEmpty)
        let allowed = (reply.field("Allow") ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(Set(allowed) == ["GET", "POST"])
        #expect(try await wire.refresh(tokens.sessionToken).status == 200)
    }
}
