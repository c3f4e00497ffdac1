import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// The login page as it is served. Tests/Browser uses it.
struct LoginPageTests: ServerTests {
    private static let page = "\(PagePath.login)?client_id=\(LiveServer.client)"

    private static func text(_ reply: WireReply) -> String { String(decoding: reply.body, as: UTF8.self) }

    @Test(.liveServer)
    func everyPageIsConfinedByItsOwnNonce() async throws {
        var nonces: Set<String> = []
        for path in [Self.page, Self.page, PagePath.login, "\(PagePath.login)?client_id=nobody"] {
            let reply = try await wire.send("GET", path, [])
            #expect(reply.status == (path == Self.page ? 200 : 400), "\(path)")
            let policy = try #require(reply.field("Content-Security-Policy"))
            let nonce = try #require(policy.firstMatch(of: #/script-src 'nonce-([A-Za-z0-9]{32})'/#)).1
            nonces.insert(String(nonce))
            #expect(Self.text(reply).contains("nonce=\"\(nonce)\""))
            for part in ["default-src", "frame-ancestors", "form-action", "base-uri", "trusted-types"] {
                #expect(policy.contains("\(part) 'none'"), "\(part)")
            }
            #expect(!policy.contains("unsafe") && !policy.contains("http:") && !policy.contains("*"))
            #expect(reply.field("X-Frame-Options") == "DENY" && reply.field("Referrer-Policy") == "no-referrer")
            #expect(reply.field("Cache-Control") == "no-store" && reply.field("Content-Type") == "text/html; charset=utf-8")
        }
        #expect(nonces.count == 4)
    }

    @Test(.liveServer, arguments: [(PagePath.script, "text/javascript; charset=utf-8"), (PagePath.style, "text/css; charset=utf-8")])
    func scriptAndStyleAreTheServersOwn(_ path: String, type: String) async throws {
        let reply = try await wire.send("GET", path, [])
        #expect(reply.status == 200 && reply.field("Content-Type") == type && reply.body.count > 1_000)
        #expect(reply.field("Content-Security-Policy") == "default-src 'none'; frame-ancestors 'none'")
        #expect(!Self.text(reply).contains("http"))
        #expect(try await wire.send("POST", path, []).status == 405)
    }

    /// A mark with a combining accent is one character to Swift and two to a browser.
    static let names = [
        #"<script>alert(1)</script>"#, #"" onfocus="alert(1)"#, "\"\u{301} onfocus=alert(1)", "<\u{301}img>", "'`&<>", "</title><script>",
    ]

    @Test(.liveServer, arguments: names)
    func aNameIsText(_ name: String) async throws {
        _ = try await server.server.services.administration.addClient(name: name, id: "named")
        let reply = try await wire.send("GET", "\(PagePath.login)?client_id=named&lang=en", [])
        let escaped = name.unicodeScalars.reduce(into: "") { text, scalar in
            let references = ["<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;", "`": "&#96;"]
            if let reference = references[String(scalar)] { text += reference } else { text.unicodeScalars.append(scalar) }
        }
        #expect(Self.text(reply).contains("<title>Log in to \(escaped)</title>"))
        #expect(Self.text(reply).ranges(of: "<script").count == 1)
    }

    @Test(
        .liveServer,
        arguments: ["\"><script>alert(1)</script>", "\"\u{301} autofocus onfocus=alert(1) x=\"", String(repeating: "x", count: 600)])
    func theAddressIsText(_ value: String) async throws {
        let encoded = try #require(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let reply = try await wire.send("GET", "\(Self.page)&request=\(encoded)&lang=\(encoded)", [])
        #expect(reply.status == 200)
        let text = Self.text(reply)
        #expect(text.ranges(of: "<script").count == 1)
        // By code points: to Swift the two are one character.
        let scalars = Array(text.unicodeScalars)
        #expect(!zip(scalars, scalars.dropFirst()).contains { $0 == "\"" && $1 == "\u{301}" })
        #expect(!text.contains(String(repeating: "x", count: 513)))
    }

    @Test(
        .liveServer,
        arguments: [
            ("", "zh-CN,en;q=0.5", "zh"), ("", "en-GB", "en"), ("", "fr", "en"), ("&lang=en", "zh", "en"), ("&lang=zh", "en", "zh"),
            ("&lang=xx", "en", "en"),
        ])
    func theLanguageIsTheQuerysOrTheBrowsers(_ query: String, accepted: String, language: String) async throws {
        let reply = try await wire.send("GET", Self.page + query, [("Accept-Language", accepted)])
        #expect(Self.text(reply).contains("<html lang=\"\(language)\">"))
        #expect(Self.text(reply).contains(language == "zh" ? "密码" : "Password"))
    }

    @Test(.liveServer)
    func theCookieIsMadeOnceAndHidden() async throws {
        let cookie = try #require(try await wire.send("GET", Self.page, []).field("Set-Cookie"))
        let pair = try #require(cookie.split(separator: ";").first)
        #expect(cookie.hasSuffix("; Path=/; Max-Age=31622400; HttpOnly; SameSite=Lax"))
        #expect(pair.hasPrefix("assay-device=") && pair.count == "assay-device=".count + 32)
        #expect(try await wire.send("GET", Self.page, [("Cookie", "a=b; \(pair)")]).field("Set-Cookie") == nil)
        #expect(try await wire.send("GET", Self.page, [("Cookie", "assay-device=mine")]).field("Set-Cookie") != nil)
    }

    @Test(.liveServer { $0.standBehindProxy() })
    func behindTLSTheCookieIsOfThisHostAlone() async throws {
        let cookie = try #require(try await server.wireToItself().send("GET", Self.page, []).field("Set-Cookie"))
        #expect(cookie.hasPrefix("__Host-assay-device="))
        #expect(cookie.hasSuffix("; Path=/; Max-Age=31622400; HttpOnly; SameSite=Lax; Secure"))
    }

    /// A neighbour in the same domain, or one without TLS, can set a cookie without the prefix.
    @Test(.liveServer { $0.standBehindProxy() }, arguments: [("__Host-assay-device", 200), ("assay-device", 400)])
    func behindTLSACookieWithoutThePrefixIsNoDevice(_ name: String, status: Int) async throws {
        let fields = [
            ("X-client-id", LiveServer.client), ("X-operating-sys-version", "Browser"), ("X-agent", "browser"),
            ("Cookie", "\(name)=" + String(repeating: "a", count: 32)),
        ]
        let reply = try await server.wireToItself().send("GET", WirePath.serverDate, fields)
        #expect(reply.status == status && reply.errorCode == (status == 200 ? nil : "IDAAS.SDK.COMMON.1003"))
    }

    /// The fields with which the page's script calls, and what a page of another site can send.
    @Test(
        .liveServer,
        arguments: [
            ("same-origin", 200, ""), ("", 200, ""), ("cross-site", 400, "IDAAS.SDK.COMMON.1003"),
            ("same-site", 400, "IDAAS.SDK.COMMON.1003"),
            ("none", 400, "IDAAS.SDK.COMMON.1003"),
        ])
    func aBrowserIsADeviceForThePageAlone(_ site: String, status: Int, code: String) async throws {
        var fields = [
            ("X-client-id", LiveServer.client), ("X-operating-sys-version", "Browser"), ("X-agent", "browser"),
            ("Cookie", "assay-device=" + String(repeating: "a", count: 32)),
        ]
        if !site.isEmpty { fields.append(("Sec-Fetch-Site", site)) }
        let reply = try await wire.send("GET", WirePath.serverDate, fields)
        #expect(reply.status == status && (reply.errorCode ?? "") == code)
        let withoutClient = try await wire.send("GET", WirePath.serverDate, Array(fields.dropFirst()))
        #expect(withoutClient.errorCode == "IDAAS.SDK.COMMON.1001")
    }
}
