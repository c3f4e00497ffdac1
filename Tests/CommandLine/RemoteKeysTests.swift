import AssayTesting
import Foundation
import JWKSTestSupport
import JWTTestSupport
import Testing

/// Commands that fetch keys over HTTP once.
@Suite struct RemoteKeysTests {
    private let server: KeyServer

    init() throws { server = try KeyServer() }

    private func verify(_ arguments: [String], exits code: Int32) throws -> Command.Outcome {
        try Command.assay(["verify", "--now", "1700000100"] + arguments + [server.token(0)], exits: code)
    }

    @Test(arguments: ["/jwks", "/moved"]) func keysComeFromAnAddressAndARedirectWithinItsOrigin(_ path: String) throws {
        _ = try verify(["--keys", server.issuer + path], exits: 0)
    }

    @Test func keysComeFromTheIssuersDiscoveryDocument() throws {
        _ = try verify(["--issuer", server.issuer], exits: 0)
        #expect(try Command.assay(["keys", server.issuer]).output.contains("usable"))
    }

    @Test func anotherIssuersDiscoveryDocumentIsNotBelieved() throws {
        let outcome = try verify(["--issuer", "\(server.issuer)/other"], exits: 3)
        #expect(outcome.errors.contains("names another issuer"))
    }

    /// A URL may name a key set or an issuer. If it is neither, the message has both reasons. Of two documents that hang, the second gets
    /// only the time that the first left over. Plain HTTP reaches only loopback.
    static let reasons: [(String, [String])] = [
        ("/other", ["/other: as a key set, answered 404; as an issuer, the metadata names another issuer"]),
        ("/hang", ["as a key set, fetch_timed_out", "as an issuer, no answer within 5 s"]),
        ("http://idp.example/jwks", ["fetch_invalid_url", "is http to another host"]),
        ("http://127.0.0.1.evil.example/jwks", ["fetch_invalid_url", "is http to another host"]),
    ]

    @Test(arguments: reasons) func anAddressWithoutKeysHasItsReasons(_ place: String, _ reasons: [String]) throws {
        let outcome = try Command.assay(["keys", place.hasPrefix("/") ? server.issuer + place : place], exits: 3)
        for reason in reasons { #expect(outcome.errors.contains(reason)) }
    }

    @Test(arguments: ["/large", "/redirect", "/html", "/missing"]) func whatIsNoKeySetIsExitCode3(_ path: String) throws {
        let outcome = try verify(["--keys", server.issuer + path], exits: 3)
        #expect(outcome.errors.hasPrefix("keys_unavailable: "))
    }

    @Test func listAsJSONHasTheStatus() throws {
        let outcome = try Command.assay(["keys", server.issuer + "/jwks", "--json"])
        let object = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let status = try #require(object["status"] as? [String: Any])
        #expect(status["source"] as? String == server.issuer + "/jwks" && status["health"] as? String == "fresh")
        #expect(status["generation"] as? Int == 1 && status["failures"] as? Int == 0 && status["shed_probes"] as? Int == 0)
        #expect((240...300).contains(status["fresh_for"] as? Int ?? 0))
        #expect((object["keys"] as? [[String: Any]])?.map { $0["kid"] as? String } == ["key-0"])
    }
}

/// Commands that keep running while an issuer's keys change.
@Suite struct RunningCommandTests {
    private let server: KeyServer

    init() throws { server = try KeyServer() }

    @Test func eachLineHasItsVerdictBeforeTheNext() throws {
        let command = try RunningCommand(["verify", "--keys", server.issuer + "/jwks", "--now", "1700000100", "--batch", "-"])
        for (token, verdict) in [(server.token(0), "valid"), ("a.b", "malformed_token"), (server.token(0), "valid")] {
            try command.write(token)
            #expect(try command.line(containing: "") == verdict)
        }
        #expect(server.server.count(of: "/jwks") == 1)
    }

    @Test func unknownKeyIsFetchedFor() throws {
        let command = try RunningCommand(["verify", "--issuer", server.issuer, "--now", "1700000100", "--batch", "-"])
        var verdicts: [String] = []
        func judge(_ place: Int) throws {
            try command.write(server.token(place))
            verdicts.append(try command.line(containing: ""))
        }
        try judge(0)
        server.publish(0, 1)
        try judge(1)
        try judge(0)
        server.publish(2)
        try judge(2)
        try judge(1)
        #expect(verdicts == ["valid", "valid", "valid", "valid", "unknown_key"])
        // The fetches for the keys 1 and 2 found them and do not count; so the removed key 1 is looked for once more, everywhere.
        #expect(server.server.count(of: "/jwks") == 4)
        #expect(server.server.count(of: "/.well-known/openid-configuration") == 2)
    }

    /// Watches a file, which is read every second. An issuer is asked again only after 42 s.
    @Test func watchTellsARotation() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("keys.json", KeyPool.set(0))
        let command = try RunningCommand(["keys", "--watch", file])
        _ = try command.line(containing: "key-0")
        _ = try folder.write("keys.json", KeyPool.set(1))
        #expect(try command.line(containing: "- key-0").contains("generation 2  - key-0  + key-1"))
        #expect(try command.line(containing: "fresh").contains("1 keys"))
    }

    @Test func watchTellsTheKeysOfAnIssuer() throws {
        server.publish(0, 1)
        let command = try RunningCommand(["keys", "--watch", server.issuer])
        #expect(try command.line(containing: "key-1").contains("usable"))
    }
}
