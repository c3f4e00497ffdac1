#if Gateway
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

    @Test func aLongTextIsCut() {
        // One character for a reader, 600 bytes for a log.
        let cluster = "a" + String(repeating: "\u{301}", count: 300)
        #expect(LoggedText.shortened(cluster).utf8.count < 140)
        #expect(LoggedText.target("/" + String(repeating: "b/", count: 300)).utf8.count < 140)
        #expect(LoggedText.shortened("host.example") == "host.example")
    }

    @Test func methodsOfClientsAreNotWordsOfTheLog() {
        #expect(LoggedText.method("GET") == "GET" && LoggedText.method("GET\n{") == "other")
    }
}
#endif
