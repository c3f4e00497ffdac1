import GatewayServer
import Testing

@Suite struct LoggedTextTests {
    @Test(arguments: [
        ("/orders/7", "/orders/7"), ("/", "/"), ("*", "*"), ("/a//b/", "/a//b/"), ("/a?", "/a?"),
        ("/a?token=secret&x", "/a?token=…&x=…"), ("/a/eyJhbGciOiJFUzI1NiJ9.e30.sig", "/a/…"), ("/a?eyJhbGciOiJFUzI1NiJ9=1", "/a?…=…"),
        ("/" + String(repeating: "a", count: 65), "/…"),
        // A mark that combines with the character before it.
        ("/a?\u{301}token=secret", "/a?\u{301}token=…"), ("/\u{301}eyJhbGciOiJFUzI1NiJ9/b", "/…/b"),
        ("/a?b=1&\u{301}c=secret", "/a?b=…&\u{301}c=…"),
    ])
    func aTargetHasNoValueAndNoToken(target: String, logged: String) { #expect(LoggedText.target(target) == logged) }

    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::1"), ("::ffff:192.0.2.7", "::ffff:192.0.2.7"), ("unknown", nil),
            ("", nil),
            ("192.0.2.7:80, x", nil), (String(repeating: "1.", count: 23), nil),
        ] as [(String, String?)])
    func anAddressHasDigits(text: String, logged: String?) { #expect(LoggedText.address(text) == logged) }

    /// Codes of a reset, identifiers and parts of tokens; a path with few digits has names.
    @Test(arguments: [
        ("/reset/482913", "/reset/…"), ("/u/0af76519-16cd-43dd-8448-eb211c80319c", "/u/…"), ("/v1/users", "/v1/users"),
        ("/report-2024/page.html", "/report-2024/page.html"), ("/getUserProfileByName", "/getUserProfileByName"),
        ("/k/yJhbciOiSUzIiJQaWNkLmFiYmDdEe", "/k/…"), ("/a/" + String(repeating: "b", count: 49), "/a/…"), ("/a?1234567=x", "/a?…=…"),
    ])
    func aSegmentThatMayBeASecretIsAnOmission(target: String, logged: String) { #expect(LoggedText.target(target) == logged) }

    @Test(arguments: [
        ("API.example:8443", "api.example"), ("[2001:db8::1]:443", "[2001:db8::1]"), ("192.0.2.10", "192.0.2.10"),
        ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "….….c2ln"), (String(repeating: "Ab1", count: 20) + ".example", "….example"),
        ("x" + String(repeating: "y", count: 500), "…"),
    ])
    func aHostIsShownAsItIsUnderstood(host: String, logged: String) { #expect(LoggedText.host(host) == logged) }

    @Test func aLongTextIsCut() {
        #expect(LoggedText.target("/" + String(repeating: "b/", count: 300)).utf8.count < 140)
    }

    @Test func methodsOfClientsAreNotWordsOfTheLog() {
        #expect(LoggedText.method("GET") == "GET" && LoggedText.method("GET\n{") == "other")
    }
}
