import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// An issuer's metadata and its addresses.
struct IssuerMetadataTests {
    private static let issuer = Discovery.issuer
    private static let openID = Discovery.openID, oauth = Discovery.oauth, keys = Discovery.keys

    @Test(arguments: [
        ("https://idp.example", ""), ("https://idp.example/", ""), ("https://idp.example:8443", ""), ("http://localhost:8080", ""),
        ("https://idp.example/tenant", "/tenant"), ("https://idp.example/tenant/", "/tenant"),
        ("https://idp.example/a/b/v2.0", "/a/b/v2.0"), ("https://idp.example/a%20b", "/a%20b"), ("https://[2001:db8::1]/t", "/t"),
    ])
    func addressesAreOfOpenIDAndThenOfRFC8414(issuer: String, path: String) {
        let origin = issuer.split(separator: "/").prefix(2).joined(separator: "//")
        #expect(
            IssuerMetadata.addresses(of: issuer) == [
                "\(origin)\(path)/.well-known/openid-configuration", "\(origin)/.well-known/oauth-authorization-server\(path)",
            ])
    }

    @Test(arguments: [
        "", "https://", "https:///path", "http://", "idp.example", "//idp.example", "ftp://idp.example", "HTTPS://idp.example",
        "https://idp.example?a=1", "https://idp.example/a?b", "https://idp.example#f", "https://idp.example/a b", " https://idp.example",
        "https://idp.example\n", "https://idp.example/\u{7f}", "https://idp.ex\u{e4}mple", "https://\u{212a}.example", "urn:example:idp",
        "https://?", "https://#",
    ])
    func whatIsNoURLOfAnIssuerHasNoAddress(issuer: String) {
        #expect(IssuerMetadata.addresses(of: issuer) == nil)
    }

    @Test(arguments: [
        (issuer, issuer, true), ("https://idp.example/", "https://idp.example/", true), (issuer, "https://idp.example/", false),
        ("https://idp.example/", issuer, false), (issuer, "https://IDP.example", false), (issuer, "HTTPS://idp.example", false),
        (issuer, "https://idp.example:443", false), (issuer, "https://idp%2eexample", false), (issuer, "https://\u{ec}dp.example", false),
        ("https://idp.example/K", "https://idp.example/\u{212a}", false),
        ("https://idp.example/\u{e9}", "https://idp.example/e\u{301}", false),
        (issuer, "https:\\/\\/idp.example", true), (issuer, "https://\\u0069dp.example", true), (issuer, " https://idp.example", false),
        (issuer, "http://idp.example", false), (issuer, "", false), (issuer, "https://idp.example.evil.example", false),
    ])
    func theIssuerIsNamedByteForByte(issuer: String, named: String, isSame: Bool) {
        #expect(Self.outcome(Discovery.metadata(issuer: named), of: issuer) == (isSame ? "https://idp.example/jwks" : "issuer_mismatch"))
    }

    @Test(arguments: [
        ("{}", "invalid_metadata"), ("", "invalid_metadata"), ("[]", "invalid_metadata"), ("<html>", "invalid_metadata"),
        ("{\"issuer\":\"https://idp.example\"}", "invalid_metadata"), ("{\"jwks_uri\":\"https://idp.example/jwks\"}", "invalid_metadata"),
        ("{\"issuer\":[\"https://idp.example\"],\"jwks_uri\":\"https://a.example\"}", "invalid_metadata"),
        ("{\"issuer\":null,\"jwks_uri\":\"https://a.example\"}", "invalid_metadata"),
        ("{\"issuer\":\"https://idp.example\",\"issuer\":\"https://idp.example\",\"jwks_uri\":\"https://a.example\"}", "invalid_metadata"),
        ("{\"issuer\":\"https://idp.example\",\"jwks_uri\":7}", "invalid_metadata"),
        ("{\"issuer\":\"https://idp.example\",\"jwks_uri\":\"/jwks\"}", "invalid_metadata"),
        ("{\"issuer\":\"https://idp.example\",\"jwks_uri\":\"http://idp.example/jwks\"}", "invalid_metadata"),
        ("{\"issuer\":\"https://idp.example\",\"jwks_uri\":\"file:///etc/passwd\"}", "invalid_metadata"),
        ("{\"issuer\":\"https://idp.example\",\"jwks_uri\":\"https://cdn.example/k\"}", "https://cdn.example/k"),
    ])
    func membersAreAsTheyShouldBe(document: String, expected: String) { #expect(Self.outcome(document, of: Self.issuer) == expected) }

    @Test
    func anInsecureIssuerMayNameEither() {
        for keys in ["http://localhost/jwks", "https://localhost/jwks"] {
            #expect(Self.outcome(Discovery.metadata(issuer: "http://localhost", keys: keys), of: "http://localhost") == keys)
        }
    }

    @Test
    func algorithmsAreReadWhereTheyStand() throws {
        let text =
            "{\"issuer\":\"https://idp.example\",\"jwks_uri\":\"https://a.example\",\"id_token_signing_alg_values_supported\":[\"RS256\"]}"
        #expect(try IssuerMetadata(Array(text.utf8), of: Self.issuer).algorithms == ["RS256"])
        #expect(try IssuerMetadata(Array(Discovery.metadata().utf8), of: Self.issuer).algorithms == nil)
    }

    private static func outcome(_ document: String, of issuer: String) -> String {
        do throws(RefreshFailure) { return try IssuerMetadata(Array(document.utf8), of: issuer).keysURL } catch { return error.code }
    }

    // Through a remote key set

    @Test(arguments: [
        (200, 404, "installed", [openID, keys]), (404, 200, "installed", [openID, oauth, keys]),
        (410, 200, "installed", [openID, oauth, keys]), (403, 200, "installed", [openID, oauth, keys]),
        (500, 200, "failed: status", [openID]), (503, 200, "failed: status", [openID]), (429, 200, "failed: status", [openID]),
        (404, 404, "failed: status", [openID, oauth]), (302, 200, "failed: status", [openID]),
    ])
    func theSecondAddressIsAskedWhereTheFirstHasNothing(first: Int, second: Int, expected: String, urls: [String]) async {
        let transport = ScriptedTransport()
        for (url, status) in [(Self.openID, first), (Self.oauth, second)] {
            if status == 200 { transport.answer(url, Discovery.metadata()) } else { transport.answer(url, status: status) }
        }
        transport.answer(Self.keys, KeyPool.set(0))
        let observed = ObservedKeys([.issuer(Self.issuer)], transport: transport)
        #expect(await settles { observed.log.words.count == 2 })
        #expect(transport.requests.map(\.url) == urls)
        #expect(observed.log.words.last == expected)
    }

    @Test
    func anotherIssuersMetadataIsRefused() async {
        let transport = ScriptedTransport()
        transport.answer(Self.openID, Discovery.metadata(issuer: "https://evil.example"))
        transport.answer(Self.oauth, Discovery.metadata())
        let observed = ObservedKeys([.issuer(Self.issuer)], transport: transport)
        #expect(await settles { observed.log.words.count == 2 })
        #expect(observed.log.words == ["started: start", "failed: issuer_mismatch"])
        #expect(transport.requests.map(\.url) == [Self.openID])
    }

    @Test
    func metadataIsReadOnceADay() async {
        let observed = await Discovery.loaded()
        for _ in 0..<3 { await observed.refresh() }
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == Array(repeating: Self.keys, count: 3))
        observed.clock.advance(by: .seconds(86_400))
        #expect(await settles { observed.transport.requests.count == 7 })
        #expect(observed.transport.requests.dropFirst(5).map(\.url) == [Self.openID, Self.keys])
    }
}
