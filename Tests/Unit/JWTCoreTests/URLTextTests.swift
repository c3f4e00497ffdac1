import JWTCore
import Testing

/// The parts of a URL.
struct URLTextTests {
    @Test func takesAURLApart() throws {
        let url = try #require(URLText("HTTPS://Jane@Tenant.Example:8443/a%20b/c?x=%31&y&z=#end"))
        #expect(url.scheme == "https" && url.hasUser && url.host == "tenant.example" && url.port == 8443)
        #expect(url.path == "/a b/c" && url.query == "x=%31&y&z=" && url.fragment == "end")
        #expect(url.queryItems.map(\.name) == ["x", "y", "z"])
        #expect(url.queryItems.map(\.value) == ["1", nil, ""])
    }

    @Test func readsHostsOfEachKind() {
        #expect(URLText("http://[::1]:80/")?.host == "[::1]")
        #expect(URLText("http://[::1]")?.port == nil)
        #expect(URLText("wx0://oauth?code=1")?.host == "oauth")
        #expect(URLText("mailto:jane")?.host.isEmpty == true)
        #expect(URLText("http://host:/")?.port == nil)
    }

    @Test(arguments: [
        "", "host", "1http://host", "http://ho st", "http://host:port", "http://host:70000", "http://::1/", "http://h%41/", "http://é/",
    ])
    func refuses(_ text: String) { #expect(URLText(text) == nil) }
}
