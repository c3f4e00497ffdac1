#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

@Suite("What surrounds every request, over a socket")
struct FrameTests {
    @Test("A path that is not there is 404, a method that is not 405, both with a JSON body in the language asked for")
    func noEndpoint() async throws {
        try await LiveServer.with { server in
            var wire = server.wire()
            let missing = try await wire.get("/api/v2/sdk/nothing")
            #expect(missing.status == 404)
            #expect(missing.errorCode == "IDAAS.SDK.COMMON.1006" && missing.errorText == "path 参数错误")
            wire.language = "en"
            let method = try await wire.send("PUT", "/api/v2/sdk/captcha", wire.fields, body: Array("{}".utf8))
            #expect(method.status == 405 && method.field("Allow") == "GET, HEAD")
            #expect(method.errorText == "The method parameter error")
            for path in ["/__dev/outbox", "/__dev/clock", "/metricsx", "/", "//", "/api/v2/sdk/sessions/a/b", "/api/v2/sdk/captcha/%2e%2e"]
            {
                #expect(try await wire.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test("Every reply names its request, is not kept and not sniffed")
    func replyFields() async throws {
        try await LiveServer.with { server in
            for path in ["/api/v2/sdk/server-date", "/healthz", "/nothing"] {
                let reply = try await server.wire().get(path, adding: [("X-Request-Id", "r-1")])
                #expect(reply.field("X-Request-Id") == "r-1")
                #expect(reply.field("Cache-Control") == "no-store")
                #expect(reply.field("X-Content-Type-Options") == "nosniff")
                #expect(reply.field("Server") == nil)
                let made = try await server.wire().get(path, adding: [("X-Request-Id", "r 1")])
                #expect(made.field("X-Request-Id")?.count == 32)
            }
        }
    }

    @Test("A body larger than 64 KiB is 413, by what it announces or by what arrives, and the server goes on")
    func bodySize() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
            let type = [("Content-Type", "application/json")]
            let padding = { (size: Int) in Array(("{\"mobile\":\"" + String(repeating: "1", count: size - 13) + "\"}").utf8) }
            let large = try await wire.send("POST", "/api/v2/sdk/sms/send", wire.fields + type, body: padding(65_537))
            #expect(large.status == 413 && large.errorCode == "IDAAS.SDK.COMMON.1002")
            let fits = try await wire.send("POST", "/api/v2/sdk/sms/send", wire.fields + type, body: padding(65_536))
            #expect(fits.status == 400)
            let announced = try await RawConnection.exchange(
                server.ready.port,
                "POST /api/v2/sdk/sms/send HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{")
            #expect(announced.hasPrefix("HTTP/1.1 413 ") && announced.contains("IDAAS.SDK.COMMON.1002"))
            let chunk = String(repeating: "x", count: 0x8000)
            let chunked = try await RawConnection.exchange(
                server.ready.port,
                "POST /api/v2/sdk/sms/send HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: "8000\r\n\(chunk)\r\n", count: 3))
            #expect(chunked.hasPrefix("HTTP/1.1 413 "))
            #expect(try await wire.get("/healthz").status == 200)
        }
    }

    @Test("64 header fields of 16 KiB are read, and more are refused with 400")
    func headerSize() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
            let many = { (count: Int) in (0..<count).map { ("X-Filler-\($0)", "v") } }
            #expect(try await wire.send("GET", "/healthz", many(60)).status == 200)
            let refused = try await wire.send("GET", "/healthz", many(70))
            #expect(refused.status == 400 && refused.errorCode == "IDAAS.SDK.COMMON.1002")
            #expect(try await wire.send("GET", "/healthz", [("X-Filler", String(repeating: "v", count: 15_000))]).status == 200)
            #expect(try await wire.send("GET", "/healthz", [("X-Filler", String(repeating: "v", count: 17_000))]).status == 400)
            #expect(try await wire.send("GET", "/healthz", [("X-Filler", String(repeating: "v", count: 200_000))]).status == 400)
        }
    }

    @Test("Another type than JSON is 415")
    func mediaType() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
            for type in ["text/plain", "application/x-www-form-urlencoded", "application/json;charset=gbk"] {
                let reply = try await wire.send(
                    "POST", "/api/v2/sdk/sms/send", wire.fields + [("Content-Type", type)], body: Array("{}".utf8))
                #expect(reply.status == 415 && reply.errorCode == "IDAAS.SDK.COMMON.1002")
            }
            let none = try await wire.send("POST", "/api/v2/sdk/sms/send", wire.fields, body: Array("{}".utf8))
            #expect(none.status == 415)
        }
    }

    @Test("The common header fields are asked for in their order, at every endpoint that has them")
    func callers() async throws {
        try await LiveServer.with { server in
            let wire = server.wire()
            for operation in OpenAPIDocument.operations where operation.path.hasPrefix("/api/v2/sdk/") {
                let path = operation.path.replacing("{id}", with: "x")
                let send = { (fields: [(String, String)]) in
                    try await wire.send(
                        operation.method.uppercased(), path, fields + [("X-L", "en"), ("Content-Type", "application/json")],
                        body: operation.method == "post" ? Array("{}".utf8) : nil)
                }
                let nothing = try await send([])
                #expect(nothing.errorCode == "IDAAS.SDK.COMMON.1001", "\(path)")
                #expect(nothing.errorText == "Parameter X-client-id cannot be left blank")
                #expect(nothing.status == 400)
                #expect(try await send([("X-client-id", " ")]).errorCode == "IDAAS.SDK.COMMON.1001")
                #expect(try await send([("X-client-id", "demo")]).errorCode == "IDAAS.SDK.COMMON.1003")
                for missing in 1...3 {
                    var fields = wire.fields
                    fields.remove(at: missing)
                    #expect(try await send(fields).errorCode == "IDAAS.SDK.COMMON.1003", "\(path)")
                }
                let stranger = server.wire(client: "nobody")
                #expect(try await send(stranger.fields).errorCode == "IDAAS.SDK.COMMON.1012", "\(path)")
            }
        }
    }

    @Test("The vendor's optional header fields are accepted, and the address among them not believed")
    func optionalFields() async throws {
        try await LiveServer.with { server in
            let reply = try await server.wire().get(
                "/api/v2/sdk/captcha",
                adding: [("X-tenant-id", "t"), ("X-device-ip", "198.51.100.7"), ("X-Forwarded-For", "198.51.100.8")])
            #expect(reply.status == 200)
            #expect(server.auditLines.last?.contains(#""address":"127.0.0.1""#) == true)
        }
    }

    @Test("Behind a proxy the address is the one that it names")
    func proxy() async throws {
        try await LiveServer.with {
            $0.proxy.behind = true
            $0.proxy.trusted = ["127.0.0.1"]
            $0.publicURL = "https://login.example.com"
        } _: { server in
            let port = server.ready.port
            var wire = server.wire()
            wire.url = "http://127.0.0.1:\(port)"
            _ = try await wire.get("/api/v2/sdk/captcha", adding: [("X-Forwarded-For", "203.0.113.1, 198.51.100.8")])
            #expect(server.auditLines.last?.contains(#""address":"198.51.100.8""#) == true)
            let discovery = try await wire.get("/api/v1/oauth2/.well-known/openid-configuration")
            #expect(discovery.string("issuer") == "https://login.example.com/api/v1/oauth2")
            #expect(discovery.field("Strict-Transport-Security") != nil)
            // The metrics are not for whoever comes through a proxy, whether or not it says for whom.
            for fields in [[("X-Forwarded-For", "127.0.0.1")], []] {
                #expect(try await wire.get("/metrics", adding: fields).status == 404)
            }
        }
    }

    @Test("HEAD is answered as GET is, without the body")
    func head() async throws {
        try await LiveServer.with { server in
            let reply = try await server.wire().send("HEAD", "/healthz", [])
            #expect(reply.status == 200 && reply.body.isEmpty && reply.field("Content-Length") == "15")
        }
    }

    @Test("A refused HEAD has no body either: what follows it on the connection is the next answer", arguments: HeadCase.all)
    func refusedHead(_ refused: HeadCase) async throws {
        try await LiveServer.with { server in
            let answers = try await RawConnection.exchange(
                server.ready.port,
                "HEAD \(refused.path) HTTP/1.1\r\nHost: x\r\n\(refused.fields)\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            let end = try #require(answers.range(of: "\r\n\r\n"))
            let head = answers[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
            #expect(head.first?.hasPrefix("http/1.1 \(refused.status) ") == true)
            // That of the body which another method would have been refused with (RFC 9110 section 8.6).
            let length = try #require(head.first { $0.hasPrefix("content-length:") })
            #expect(length != "content-length: 0")
            #expect(answers[end.upperBound...].hasPrefix("HTTP/1.1 200 "), "\(answers)")
        }
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

    @Test("HEAD does not log out: it is no method of what changes something")
    func headLogout() async throws {
        try await LiveServer.with { server in
            let tokens = try await server.logIn()
            let wire = server.wire()
            let token = [("session-token", tokens.sessionToken)]
            let reply = try await wire.send("HEAD", "/api/v2/sdk/logout", wire.fields + token)
            #expect(reply.status == 405 && reply.body.isEmpty)
            let allowed = (reply.field("Allow") ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(Set(allowed) == ["GET", "POST"])
            #expect(try await wire.refresh(tokens.sessionToken).status == 200)
        }
    }

    @Test("What fails unforeseen is COMMON.1008 with status 500, and says nothing more")
    func failure() async throws {
        try await LiveServer.with { server in
            try server.spoilStore()
            #expect(try await server.wire().get("/readyz").status == 503)
            let reply = try await server.wire().get("/api/v2/sdk/captcha")
            #expect(reply.status == 500 && reply.errorCode == "IDAAS.SDK.COMMON.1008")
            #expect(Set(reply.json.keys) == ["error_code", "error_msg"])
            #expect(try await server.wire().get("/healthz").status == 200)
        }
    }
}
#endif
